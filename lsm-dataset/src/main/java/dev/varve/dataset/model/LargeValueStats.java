package dev.varve.dataset.model;

/**
 * The large values of a partition, which lie in files of their own. What of them counts is known
 * from the last look at all keys; what was put since is in none of the two figures.
 *
 * @param files how many files there are
 * @param bytes bytes of them
 * @param liveBytes of the files that were looked at and are still there, bytes of the values that a
 *     key had then
 * @param deadBytes all other bytes of these files: what was replaced, deleted or never committed
 * @param lookSeconds how long ago the keys were looked at, in seconds; negative when they have not
 *     been since the store was opened
 * @param keptBytes of the dead bytes, those of files that go when the snapshots from before the
 *     look are closed
 * @param rewrittenBytes bytes of values that were written again, to empty files, since it was
 *     opened
 * @param deletedBytes bytes of files that were deleted since it was opened
 * @param activity what is done now to give space back
 * @param failure why space was not given back the last time; empty when it was
 */
public record LargeValueStats(
    int files,
    long bytes,
    long liveBytes,
    long deadBytes,
    double lookSeconds,
    long keptBytes,
    long rewrittenBytes,
    long deletedBytes,
    Activity activity,
    String failure) {
  /** What is done to give space back. */
  public enum Activity {
    /** Nothing. */
    RESTING("rests"),
    /** All keys are looked at. */
    LOOKING("looks at all keys"),
    /** What counts of some files is written again. */
    EMPTYING("empties files"),
    /** One of both is under way, and waits for its turn in the I/O budget. */
    WAITING("waits for the I/O budget");

    private final String text;

    Activity(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /** Whether there is nothing that anybody may want to know the reason of. */
  public boolean quiet() {
    return activity == Activity.RESTING && failure.isEmpty() && keptBytes == 0;
  }

  @Override
  public String toString() {
    return bytes
        + " bytes in "
        + files
        + " files"
        + (lookSeconds < 0 ? "" : ", %d of them dead %.0f s ago".formatted(deadBytes, lookSeconds))
        + (keptBytes == 0 ? "" : ", " + keptBytes + " kept by snapshots from before")
        + "; giving space back "
        + activity
        + (failure.isEmpty() ? "" : ", and failed: " + failure);
  }
}
