package dev.varve.hyracks.operator;

import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.FieldPath;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.options.DatasetOptions;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the values that a field has in the records of a read. Each partition gathers its
 * own, so that what travels is a number of records for each value. A value counts as it does in a
 * B+-tree on the field: texts, numbers and truth values order, anything else is none. Immutable.
 */
public final class Aggregate implements Serializable {
  private static final long serialVersionUID = 1L;

  /** What is wanted of the values. */
  public enum Kind {
    /** The lowest one. */
    LEAST,
    /** The highest one. */
    GREATEST,
    /** Each of them, and that there is none. */
    EACH
  }

  private final Kind kind;
  private final ArrayList<ArrayList<String>> field;

  /** Gathers the values of a field. */
  public Aggregate(Kind kind, FieldPath field) {
    this.kind = kind;
    this.field = DatasetDefinition.steps(List.of(field));
  }

  /** What is wanted. */
  public Kind kind() {
    return kind;
  }

  /** Whether the highest value comes first. */
  KeyRange.Direction direction() {
    return kind == Kind.GREATEST ? KeyRange.Direction.DESCENDING : KeyRange.Direction.ASCENDING;
  }

  /** Begins to gather, from stored records of a dataset. */
  public Gathering gather(DatasetOptions dataset) {
    return new Gathering(new FieldValues(dataset, DatasetDefinition.paths(field)));
  }

  /** Values gathered so far. Confined to one thread. */
  public final class Gathering {
    private static final Slice NONE = new Slice(Bytes.EMPTY);

    private final FieldValues values;
    private final Map<Key, Long> counts = new HashMap<>();
    private @Nullable Slice extreme;

    private Gathering(FieldValues values) {
      this.values = values;
    }

    /** Adds the value of a record. */
    public void add(Slice record) throws StorageException {
      Slice value = values.of(record);
      if (kind == Kind.EACH) {
        counts.merge(Key.ofSlice(value == null ? NONE : value), 1L, Long::sum);
      } else if (value != null) {
        addExtreme(value);
      }
    }

    private void addExtreme(Slice value) {
      Slice known = extreme;
      int order = known == null ? -1 : value.compareBytes(known);
      if (known != null && kind == Kind.GREATEST) {
        order = -order;
      }
      if (order < 0) {
        counts.clear();
        extreme = new Slice(value.toByteArray());
      }
      if (order <= 0) {
        counts.merge(Key.ofSlice(value), 1L, Long::sum);
      }
      assert counts.size() == 1 : counts;
    }

    /** How many different values are kept. */
    int size() {
      return counts.size();
    }

    /**
     * What was gathered since the last time, which is forgotten here: how many records have each
     * value, and how many none, under an empty key.
     */
    public Map<Key, Long> take() {
      Map<Key, Long> taken = Map.copyOf(counts);
      counts.clear();
      extreme = null;
      return taken;
    }
  }
}
