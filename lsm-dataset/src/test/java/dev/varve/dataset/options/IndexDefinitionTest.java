package dev.varve.dataset.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.dataset.kind.IndexKind;
import dev.varve.dataset.model.FieldPath;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An index has a text form, and what is none is refused before anything is made of it. */
class IndexDefinitionTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "btree:user.followers_count",
        "rtree:sender_location",
        "rtree-deleted-keys:sender_location",
        "keyword:message_text",
        "ngram3:user.name"
      })
  void textIsReadBack(String text) {
    assertEquals(text, IndexDefinition.parse(text).text());
  }

  @Test
  void withoutAKindItIsABtreeNamedAfterItsField() {
    assertEquals(IndexDefinition.on("user.name"), IndexDefinition.parse("user.name"));
    assertEquals(IndexDefinition.on("user.name"), IndexDefinition.parse("btree:user.name"));
    assertEquals("user.name", IndexDefinition.parse("btree:user.name").name());
  }

  @Test
  void indexesOfSeveralKindsOnOneFieldHaveNamesOfTheirOwn() {
    DatasetOptions options =
        DatasetOptions.of("t", "id")
            .withIndexes(
                List.of(
                    IndexDefinition.parse("t"),
                    IndexDefinition.parse("keyword:t"),
                    IndexDefinition.parse("ngram3:t")));
    assertEquals(
        List.of("t", "keyword:t", "ngram3:t"),
        options.indexes().stream().map(IndexDefinition::name).toList());
  }

  @Test
  void aColonInAFieldNeedsTheKindBeforeIt() {
    assertEquals(List.of("a:b"), IndexDefinition.parse("btree:a:b").paths().get(0).steps());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"b-tree:a", "ngram:a", "ngram1:a", "ngram9:a", "ngram33:a", ":a", "rtree:"})
  void whatIsNoIndexIsRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> IndexDefinition.parse(text));
  }

  @Test
  void onlyABtreeTakesSeveralFields() {
    List<FieldPath> two = List.of(FieldPath.parse("a"), FieldPath.parse("b"));
    DatasetOptions options = DatasetOptions.of("t", "id");
    assertEquals(1, options.withIndexes(List.of(new IndexDefinition("i", two))).indexes().size());
    IndexDefinition keyword = new IndexDefinition("i", IndexKind.parse("keyword"), two);
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> options.withIndexes(List.of(keyword)));
    assertTrue(String.valueOf(refused.getMessage()).contains("several fields"));
  }
}
