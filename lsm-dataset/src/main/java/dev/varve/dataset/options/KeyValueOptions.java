package dev.varve.dataset.options;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.RequestException;
import dev.varve.common.filter.BloomShape;
import dev.varve.common.format.MergeOperator;
import dev.varve.dataset.model.ValueChange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Options of a key-value store: one primary index over raw key and value bytes.
 *
 * @param memoryBytes memory for its memory components; performance
 * @param mergePolicy which components merge; performance
 * @param filterFalsePositiveRate target rate of the Bloom filters of merged components, from 0.0001
 *     to below 0.5, 0 for none; performance
 * @param timeToLive how long pairs can be read after they were written last; values have eight
 *     bytes more on disk then, and eight less that they may have; shapes files
 * @param operator what operands that are merged do to values; values have a byte more on disk then,
 *     and one less that they may have; not with a time to live; shapes files
 * @param largeValueBytes bytes from which on a value is kept apart from its key, in a file that
 *     flushes and merges do not write again, from {@value #MIN_LARGE_VALUE_BYTES} on; 0 for none;
 *     shapes files
 */
public record KeyValueOptions(
    long memoryBytes,
    MergePolicyOptions mergePolicy,
    double filterFalsePositiveRate,
    Optional<TimeToLive> timeToLive,
    Optional<Operator> operator,
    int largeValueBytes) {
  /** The smallest value that may be kept apart. */
  public static final int MIN_LARGE_VALUE_BYTES = 64;

  /**
   * What an operand does to a value. The result is no longer than the longer of the two, so that
   * any number of operands leaves a value that can be stored.
   */
  public enum Operator implements MergeOperator {
    /**
     * Adds to a counter of eight bytes, the highest first, which begins at 0 and wraps around as a
     * {@code long} does. All values and operands have eight bytes.
     */
    ADD_LONG {
      @Override
      public Slice combine(Slice older, Slice newer) {
        assert older.length() == Long.BYTES : "a value that was not looked at";
        byte[] sum = new byte[Long.BYTES];
        long before = Bytes.getLongBigEndian(older.bytes(), older.offset());
        long added = Bytes.getLongBigEndian(newer.bytes(), newer.offset());
        Bytes.putLongBigEndian(sum, 0, before + added);
        return new Slice(sum);
      }
    },
    /** Keeps the greatest, byte by byte without sign, as keys are ordered. */
    MAX {
      @Override
      public Slice combine(Slice older, Slice newer) {
        return older.compareBytes(newer) >= 0 ? older : newer;
      }
    },
    /** Keeps the least, byte by byte without sign, as keys are ordered. */
    MIN {
      @Override
      public Slice combine(Slice older, Slice newer) {
        return older.compareBytes(newer) <= 0 ? older : newer;
      }
    };

    /**
     * Refuses what is neither a value nor an operand of it.
     *
     * @throws RequestException with {@code UNSUPPORTED}
     */
    public void require(Slice value) throws RequestException {
      if (this == ADD_LONG && value.length() != Long.BYTES) {
        throw new RequestException(
            RequestException.Reason.UNSUPPORTED,
            "a value or operand of "
                + value.length()
                + " bytes; in a store with operator ADD_LONG all have "
                + Long.BYTES);
      }
    }

    /** The change that an operand stands for. */
    public ValueChange change(byte[] operand) {
      byte[] kept = operand.clone();
      return before ->
          Optional.of(
              before
                  .map(value -> combine(new Slice(value), new Slice(kept)).toByteArray())
                  .orElseGet(kept::clone));
    }
  }

  /**
   * 64 MiB of memory, tiering by fives in at most half as much again as the pairs that count take,
   * one false positive in 2,000. Of the policies that write each record about twice while data fits
   * in memory, this one leaves point reads and short scans the fewest components. A false positive
   * costs an insert that checks its key a page, which comes from the disk where a merge wrote past
   * the system's cache: as much as a hundred inserts. Four bits more for each key make four of five
   * go away. docs/lab/loads.md has the measurements.
   */
  public static final KeyValueOptions DEFAULTS =
      new KeyValueOptions(
          DatasetOptions.DEFAULT_MEMORY_BYTES,
          new MergePolicyOptions("tiering(5) space 1.4"),
          0.0005,
          Optional.empty(),
          Optional.empty(),
          4 << 10);

  /** Reports all problems at once. */
  public KeyValueOptions {
    List<String> problems = new ArrayList<>();
    if (memoryBytes < DatasetOptions.MIN_MEMORY_BYTES) {
      problems.add("memoryBytes " + memoryBytes + " is below " + DatasetOptions.MIN_MEMORY_BYTES);
    }
    if (!BloomShape.accepts(filterFalsePositiveRate)) {
      problems.add(
          "filterFalsePositiveRate "
              + filterFalsePositiveRate
              + " is neither 0 nor in [0.0001, 0.5)");
    }
    if (timeToLive.isPresent() && timeToLive.get().field().isPresent()) {
      problems.add("timeToLive of pairs begins when they are written, not with a field");
    }
    if (timeToLive.isPresent() && operator.isPresent()) {
      problems.add(
          "timeToLive and operator: an operand would outlive the value that it is about; give one");
    }
    if (largeValueBytes != 0 && largeValueBytes < MIN_LARGE_VALUE_BYTES) {
      problems.add(
          "largeValueBytes "
              + largeValueBytes
              + " is neither 0 nor at least "
              + MIN_LARGE_VALUE_BYTES);
    }
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", problems));
    }
  }

  /** The same with another memory budget. */
  public KeyValueOptions withMemoryBytes(long newMemoryBytes) {
    return new KeyValueOptions(
        newMemoryBytes,
        mergePolicy,
        filterFalsePositiveRate,
        timeToLive,
        operator,
        largeValueBytes);
  }

  /** The same with another merge policy. */
  public KeyValueOptions withMergePolicy(MergePolicyOptions newMergePolicy) {
    return new KeyValueOptions(
        memoryBytes,
        newMergePolicy,
        filterFalsePositiveRate,
        timeToLive,
        operator,
        largeValueBytes);
  }

  /** The same with pairs that can be read for so long after they were written last. */
  public KeyValueOptions withTimeToLive(Duration life) {
    return new KeyValueOptions(
        memoryBytes,
        mergePolicy,
        filterFalsePositiveRate,
        Optional.of(TimeToLive.sinceWrite(life)),
        operator,
        largeValueBytes);
  }

  /** The same with values that operands may be merged into; none is kept apart from its key. */
  public KeyValueOptions withOperator(Operator newOperator) {
    return new KeyValueOptions(
        memoryBytes,
        mergePolicy,
        filterFalsePositiveRate,
        timeToLive,
        Optional.of(newOperator),
        largeValueBytes);
  }

  /** The same with values of so many bytes and more kept apart; 0 for none. */
  public KeyValueOptions withLargeValueBytes(int newLargeValueBytes) {
    return new KeyValueOptions(
        memoryBytes,
        mergePolicy,
        filterFalsePositiveRate,
        timeToLive,
        operator,
        newLargeValueBytes);
  }
}
