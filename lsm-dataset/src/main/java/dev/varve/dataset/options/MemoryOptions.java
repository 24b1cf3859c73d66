package dev.varve.dataset.options;

import dev.varve.common.error.OptionProblems;

/**
 * How datasets share the memory for writes.
 *
 * @param activeDatasetBytes cap on the memory for writes of all datasets; a dataset that is written
 *     and does not fit takes it from the one that was used longest ago and is not being written; or
 *     0 for half of the heap, at most 512 MiB, of which one dataset gets no more than a quarter
 *     where the heap leaves less than that; performance
 * @param sealAtFraction the part of a dataset's memory, from 0.5 to 0.95, at which its indexes are
 *     sealed and flushed, while writers fill what is left; more makes fewer, larger flushes and
 *     gives each less time; performance
 * @param sharedMemoryBytes one memory that all datasets write to, each as much of it as is free,
 *     instead of the {@code memoryBytes} of each; 0 for none; performance
 * @param snapshotBytes older versions that are kept for open snapshots, beyond which the oldest
 *     snapshot is given up, so that writers never wait for a reader; behaviour
 */
public record MemoryOptions(
    long activeDatasetBytes, double sealAtFraction, long sharedMemoryBytes, long snapshotBytes) {
  /** By the heap, sealed at half, not shared; 64 MiB for snapshots. */
  public static final MemoryOptions DEFAULTS = new MemoryOptions(0, 0.5, 0, 64 << 20);

  private static final int LEAST_BYTES = 64 << 10;

  /** Reports all problems at once. */
  public MemoryOptions {
    OptionProblems problems = new OptionProblems();
    if (activeDatasetBytes != 0) {
      problems.atLeast("activeDatasetBytes", activeDatasetBytes, LEAST_BYTES);
    }
    if (!(sealAtFraction >= 0.5 && sealAtFraction <= 0.95)) {
      problems.add("sealAtFraction " + sealAtFraction + " is not between 0.5 and 0.95");
    }
    if (sharedMemoryBytes != 0) {
      problems.atLeast("sharedMemoryBytes", sharedMemoryBytes, LEAST_BYTES);
    }
    problems.atLeast("snapshotBytes", snapshotBytes, LEAST_BYTES);
    problems.report();
  }

  /** With how many bytes in memory components a dataset is sealed that has so much memory. */
  public long sealedAtBytes(long memoryBytes) {
    return Math.round(memoryBytes * sealAtFraction);
  }

  /** The same with another cap. */
  public MemoryOptions withActiveDatasetBytes(long bytes) {
    return new MemoryOptions(bytes, sealAtFraction, sharedMemoryBytes, snapshotBytes);
  }
}
