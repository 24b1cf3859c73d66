package dev.varve.cli.command;

import dev.varve.btree.KeyRange;
import dev.varve.common.error.RequestException;
import dev.varve.dataset.model.IndexSearch;
import dev.varve.dataset.model.KeySearch;
import dev.varve.dataset.model.TextSearch;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.hyracks.operator.SearchTerms;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which index answers a search.
 *
 * @param search what is asked
 * @param label a kind that answers it
 * @param example how one is written
 */
record IndexChoice(IndexSearch search, String label, String example) {
  /** What answers a range of keys. */
  static IndexChoice of(KeyRange range) {
    return new IndexChoice(new KeySearch(range), "B+-tree", "btree:FIELD");
  }

  /**
   * What answers a search.
   *
   * @throws RequestException when it is none
   */
  static IndexChoice of(SearchTerms terms) throws RequestException {
    IndexSearch search = terms.toSearch();
    if (!(search instanceof TextSearch text)) {
      return new IndexChoice(search, "R-tree", "rtree:FIELD");
    }
    return switch (text.match()) {
      case ALL_WORDS, ANY_WORD, SOME_WORDS, PHRASE ->
          new IndexChoice(search, "keyword index", "keyword:FIELD");
      case SUBSTRING, EDITS -> new IndexChoice(search, "n-gram index", "ngram3:FIELD");
      case SIMILAR -> new IndexChoice(search, "n-gram or keyword index", "ngram3:FIELD");
    };
  }

  /**
   * The indexes of a dataset that answer, on a field if one is given; at least one.
   *
   * @param field name or path of the index; null for any
   * @throws RequestException with {@code UNKNOWN_INDEX} or {@code UNSUPPORTED} when none does, and
   *     with what there is
   */
  List<IndexDefinition> among(DatasetOptions dataset, @Nullable String field)
      throws RequestException {
    List<IndexDefinition> onField =
        dataset.indexes().stream().filter(index -> field == null || isOn(index, field)).toList();
    List<IndexDefinition> found =
        onField.stream().filter(index -> index.kind().answers(search)).toList();
    if (!found.isEmpty()) {
      return found;
    }
    throw new RequestException(
        onField.isEmpty()
            ? RequestException.Reason.UNKNOWN_INDEX
            : RequestException.Reason.UNSUPPORTED,
        ("'%s' has no %s%s, which this needs; there are: %s. 'varve ingest --index %s' makes one in"
                + " a new directory")
            .formatted(
                dataset.name(),
                label,
                field == null ? "" : " on '" + field + "'",
                names(dataset.indexes()),
                field == null || field.indexOf(':') >= 0
                    ? example
                    : example.replace("FIELD", field)));
  }

  private static boolean isOn(IndexDefinition index, String field) {
    return index.name().equals(field)
        || (index.paths().size() == 1 && index.paths().get(0).toString().equals(field));
  }

  /** The indexes as they are asked for, joined by commas. */
  static String names(List<IndexDefinition> indexes) {
    return indexes.isEmpty()
        ? "none"
        : indexes.stream().map(IndexDefinition::text).collect(Collectors.joining(", "));
  }
}
