package dev.varve.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.KeyRange;
import dev.varve.common.error.RequestException;
import dev.varve.dataset.model.TextSearch;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.hyracks.operator.SearchTerms;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Goal: a question goes to the index that answers it, and else says which one would. */
final class IndexChoiceTest {
  private static final SearchTerms NEAR = new SearchTerms.Near(1, 2, 3);

  private static DatasetOptions tweets(String... indexes) {
    return DatasetOptions.of("tweets", "id")
        .withIndexes(Stream.of(indexes).map(IndexDefinition::parse).toList());
  }

  private static SearchTerms text(TextSearch.Match match) {
    return new SearchTerms.Text(match, "text", match == TextSearch.Match.SIMILAR ? 0.5 : 0);
  }

  private static List<String> found(
      DatasetOptions dataset, @Nullable SearchTerms terms, @Nullable String field)
      throws RequestException {
    IndexChoice choice = terms == null ? IndexChoice.of(KeyRange.all()) : IndexChoice.of(terms);
    return choice.among(dataset, field).stream().map(IndexDefinition::name).toList();
  }

  @Test
  void everyQuestionGoesToItsKind() throws RequestException {
    DatasetOptions mix = tweets("followers", "rtree:place", "keyword:message", "ngram3:name");
    assertEquals(List.of("followers"), found(mix, null, "followers"));
    assertEquals(List.of("rtree:place"), found(mix, NEAR, null));
    assertEquals(List.of("keyword:message"), found(mix, text(TextSearch.Match.PHRASE), null));
    assertEquals(List.of("ngram3:name"), found(mix, text(TextSearch.Match.SUBSTRING), null));
    assertEquals(
        List.of("keyword:message", "ngram3:name"),
        found(mix, text(TextSearch.Match.SIMILAR), null));
  }

  @Test
  void aFieldOrANameChoosesAmongSeveral() throws RequestException {
    DatasetOptions two = tweets("rtree:home", "rtree-deleted-keys:home", "rtree:work");
    assertEquals(3, found(two, NEAR, null).size());
    assertEquals(List.of("rtree:work"), found(two, NEAR, "work"));
    assertEquals(2, found(two, NEAR, "home").size());
    assertEquals(List.of("rtree:home"), found(two, NEAR, "rtree:home"));
  }

  @Test
  void anIndexOfAnotherKindIsRefusedWithWhatWouldDo() {
    DatasetOptions mix = tweets("followers", "ngram3:name");
    RequestException wrong =
        assertThrows(
            RequestException.class, () -> found(mix, text(TextSearch.Match.ALL_WORDS), "name"));
    assertEquals(RequestException.Reason.UNSUPPORTED, wrong.reason());
    assertTrue(wrong.getMessage().contains("--index keyword:name"), wrong.getMessage());
    assertTrue(wrong.getMessage().contains("btree:followers, ngram3:name"), wrong.getMessage());
    RequestException none = assertThrows(RequestException.class, () -> found(tweets(), NEAR, null));
    assertEquals(RequestException.Reason.UNKNOWN_INDEX, none.reason());
    assertTrue(none.getMessage().contains("there are: none"), none.getMessage());
  }
}
