package dev.varve.dataset.catalog;

import dev.varve.dataset.record.RecordSchema;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a secondary index is, and so what it can be asked. Immutable values. */
public sealed interface IndexKind
    permits IndexKind.BTree, IndexKind.RTree, IndexKind.Keyword, IndexKind.NGram {
  /** Name of the kind: in the catalog, in the text form of indexes, and in component files. */
  String name();

  /** As what the indexed field of a record is read. */
  default RecordSchema.Reading reading() {
    return RecordSchema.Reading.TEXT;
  }

  /** Whether an index of this kind may be over several fields. */
  default boolean takesSeveralFields() {
    return false;
  }

  /** How a component says that an entry in an older one is deleted. */
  enum Reconciliation {
    /** By an entry of the same key in its place. */
    ANTIMATTER,
    /** By the primary key, in a B+-tree of its own. */
    DELETED_KEYS
  }

  /** A B+-tree on one or more fields. */
  record BTree() implements IndexKind {
    @Override
    public String name() {
      return "btree";
    }

    @Override
    public RecordSchema.Reading reading() {
      return RecordSchema.Reading.KEY;
    }

    @Override
    public boolean takesSeveralFields() {
      return true;
    }
  }

  /**
   * An R-tree on a field with a point or a rectangle.
   *
   * @param reconciliation how it deletes
   */
  record RTree(Reconciliation reconciliation) implements IndexKind {
    /** With antimatter. */
    public RTree() {
      this(Reconciliation.ANTIMATTER);
    }

    @Override
    public String name() {
      return switch (reconciliation) {
        case ANTIMATTER -> "rtree";
        case DELETED_KEYS -> "rtree-deleted-keys";
      };
    }

    @Override
    public RecordSchema.Reading reading() {
      return RecordSchema.Reading.SPATIAL;
    }
  }

  /** An inverted index of the words of a text. */
  record Keyword() implements IndexKind {
    @Override
    public String name() {
      return "keyword";
    }
  }

  /**
   * An inverted index of a text's substrings of one length.
   *
   * @param length their length in characters, {@link #MIN_LENGTH} to {@link #MAX_LENGTH}
   */
  record NGram(int length) implements IndexKind {
    /** Shortest n-grams. */
    public static final int MIN_LENGTH = 2;

    /** Longest n-grams. */
    public static final int MAX_LENGTH = 8;

    private static final Pattern NAME = Pattern.compile("ngram([0-9])");

    /** Checks the length. */
    public NGram {
      if (length < MIN_LENGTH || length > MAX_LENGTH) {
        throw new IllegalArgumentException(
            "n-grams of " + length + " characters, not " + MIN_LENGTH + " to " + MAX_LENGTH);
      }
    }

    @Override
    public String name() {
      return "ngram" + length;
    }
  }

  /**
   * The kind with a name.
   *
   * @throws IllegalArgumentException when there is none
   */
  static IndexKind parse(String name) {
    List<IndexKind> withoutNumbers =
        List.of(new BTree(), new RTree(), new RTree(Reconciliation.DELETED_KEYS), new Keyword());
    for (IndexKind kind : withoutNumbers) {
      if (kind.name().equals(name)) {
        return kind;
      }
    }
    Matcher ngram = NGram.NAME.matcher(name);
    if (ngram.matches()) {
      return new NGram(Integer.parseInt(ngram.group(1)));
    }
    throw new IllegalArgumentException(
        "no kind of index: '"
            + name
            + "'; there are btree, rtree, rtree-deleted-keys, keyword, and ngram with a length:"
            + " ngram3");
  }
}
