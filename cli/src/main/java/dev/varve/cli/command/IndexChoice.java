package dev.varve.cli.command;

import dev.varve.common.error.RequestException;
import dev.varve.dataset.catalog.DatasetOptions;
import dev.varve.dataset.catalog.IndexDefinition;
import dev.varve.dataset.catalog.IndexKind;
import dev.varve.hyracks.operator.SearchTerms;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Which kind of index answers what. */
enum IndexChoice {
  /** Ranges of keys. */
  KEYS("B+-tree", "btree:FIELD"),
  /** Questions about places. */
  PLACES("R-tree", "rtree:FIELD"),
  /** Questions about words. */
  WORDS("keyword index", "keyword:FIELD"),
  /** Questions about parts of texts. */
  PARTS("n-gram index", "ngram3:FIELD"),
  /** How much of two texts is in both. */
  TOKENS("n-gram or keyword index", "ngram3:FIELD");

  private final String label;
  private final String example;

  IndexChoice(String label, String example) {
    this.label = label;
    this.example = example;
  }

  private boolean isAnsweredBy(IndexKind kind) {
    return switch (this) {
      case KEYS -> kind instanceof IndexKind.BTree;
      case PLACES -> kind instanceof IndexKind.RTree;
      case WORDS -> kind instanceof IndexKind.Keyword;
      case PARTS -> kind instanceof IndexKind.NGram;
      case TOKENS -> kind instanceof IndexKind.Keyword || kind instanceof IndexKind.NGram;
    };
  }

  /** What answers a search; null stands for a range of keys. */
  static IndexChoice of(@Nullable SearchTerms terms) {
    if (terms == null) {
      return KEYS;
    }
    if (terms instanceof SearchTerms.Text text) {
      return switch (text.match()) {
        case ALL_WORDS, ANY_WORD, SOME_WORDS, PHRASE -> WORDS;
        case SUBSTRING, EDITS -> PARTS;
        case SIMILAR -> TOKENS;
      };
    }
    return PLACES;
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
        onField.stream().filter(index -> isAnsweredBy(index.kind())).toList();
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
