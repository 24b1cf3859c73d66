package dev.varve.hyracks.operator;

import dev.varve.common.bytes.KeyDecoder;
import dev.varve.common.bytes.Slice;

/**
 * What one index of one partition holds.
 *
 * @param node number of its node
 * @param partition number of its partition on that node
 * @param index {@code primary}, or the secondary's name
 * @param components disk components
 * @param diskBytes bytes of their files
 * @param diskEntries entries in them, antimatter included
 * @param memoryEntries entries in memory components
 * @param memoryBytes bytes of memory components
 * @param flushes flushes since the engine was opened
 * @param merges merges since the engine was opened
 * @param obsoleteEntries entries in disk components that repairs have found to be obsolete
 */
public record IndexSummary(
    int node,
    int partition,
    String index,
    long components,
    long diskBytes,
    long diskEntries,
    long memoryEntries,
    long memoryBytes,
    long flushes,
    long merges,
    long obsoleteEntries) {
  /** Reads the second field of a tuple of a statistics job. */
  public static IndexSummary read(Slice field) {
    KeyDecoder values = new KeyDecoder().reset(field);
    return new IndexSummary(
        (int) values.readLong(),
        (int) values.readLong(),
        values.readString(),
        values.readLong(),
        values.readLong(),
        values.readLong(),
        values.readLong(),
        values.readLong(),
        values.readLong(),
        values.readLong(),
        values.readLong());
  }
}
