package dev.varve.dataset;

/**
 * A copy of an engine at rest that was made.
 *
 * @param components files of indexes in it
 * @param componentBytes their size
 * @param reused how many of them an earlier copy had
 * @param copiedBytes size of those that it did not have
 */
public record BackupReport(long components, long componentBytes, long reused, long copiedBytes) {
  /** This one and another together. */
  public BackupReport plus(BackupReport other) {
    return new BackupReport(
        components + other.components,
        componentBytes + other.componentBytes,
        reused + other.reused,
        copiedBytes + other.copiedBytes);
  }
}
