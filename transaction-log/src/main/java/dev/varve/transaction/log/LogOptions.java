package dev.varve.transaction.log;

import dev.varve.common.error.OptionProblems;

/**
 * Options of a log; all may change from one opening to the next.
 *
 * @param segmentBytes size of a segment file. Default 8 MiB. Larger: fewer switches; more disk
 *     space held, which comes back in larger steps
 * @param retentionBytes how long the log may become before what still needs its oldest part is
 *     flushed; at least a segment. Default 1 GiB. Larger: fewer flushes for the log's sake; longer
 *     recovery. The log does not look at it: its owner does
 * @param maxRecordBytes longest record, headers included; a record never spans segments. Default 4
 *     MiB. Larger: bigger records possible; more of a segment's end may stay unused
 * @param recycledSegments released segments that are kept for reuse, so that a switch needs no
 *     zero-writing. Default 2. Larger: steadier under bursts; more disk space held
 * @param backgroundForceBytes bytes appended since the last force from which a commit that does not
 *     wait ({@link Durability#PROCESS_CRASH}) has the log forced in the background at once. Default
 *     256 MiB. Larger: fewer forces; more may be lost with the power
 * @param backgroundForceMillis how long such a commit waits in the background when there are fewer
 *     bytes. Default 5,000. Larger: fewer forces, since what reaches a disk component meanwhile
 *     needs none; more may be lost with the power
 */
public record LogOptions(
    int segmentBytes,
    long retentionBytes,
    int maxRecordBytes,
    int recycledSegments,
    int backgroundForceBytes,
    long backgroundForceMillis) {
  /** Bytes of a segment that records cannot use: its header and the seal. */
  private static final int OVERHEAD_BYTES = SegmentLayout.HEADER_BYTES + RecordLayout.SEAL_BYTES;

  /** Segments of 8 MiB, a log of 1 GiB. */
  public static final LogOptions DEFAULTS =
      new LogOptions(8 << 20, 1L << 30, 4 << 20, 2, 256 << 20, 5_000);

  private static final int MOST_RECYCLED_SEGMENTS = 64;

  /** The part of the log, as a divisor, that a burst of flushes releases at once. */
  private static final int RELEASED_SHARE = 4;

  /** Refuses contradicting options, all problems at once. */
  public LogOptions {
    OptionProblems problems = new OptionProblems("log options");
    problems.between("segmentBytes", segmentBytes, 512, 1 << 30);
    problems.atLeast("retentionBytes", retentionBytes, segmentBytes);
    problems.between("maxRecordBytes", maxRecordBytes, 128, segmentBytes - OVERHEAD_BYTES);
    problems.between("recycledSegments", recycledSegments, 0, MOST_RECYCLED_SEGMENTS);
    problems.atLeast("backgroundForceBytes", backgroundForceBytes, 1);
    problems.atLeast("backgroundForceMillis", backgroundForceMillis, 1);
    problems.report();
  }

  /** Whether a file of a size can become a segment again. */
  boolean isSegment(long fileBytes) {
    return fileBytes == segmentBytes;
  }

  /**
   * The same for a log of another size, the record limit lowered to what fits. As many segments are
   * kept for reuse as a burst of flushes releases at once: a segment that is recycled need not be
   * written with zeros first, so keeping few of them would write nearly every byte of the log
   * twice.
   */
  public LogOptions sized(int newSegmentBytes, long newRetentionBytes, int newMaxRecordBytes) {
    return new LogOptions(
        newSegmentBytes,
        newRetentionBytes,
        Math.min(newMaxRecordBytes, newSegmentBytes - OVERHEAD_BYTES),
        (int)
            Math.min(
                newRetentionBytes / RELEASED_SHARE / Math.max(1, newSegmentBytes) + 2,
                MOST_RECYCLED_SEGMENTS),
        backgroundForceBytes,
        backgroundForceMillis);
  }

  /** Segments of another size, the record limit lowered to what fits. */
  public LogOptions withSegmentBytes(int bytes) {
    return new LogOptions(
        bytes,
        retentionBytes,
        Math.min(maxRecordBytes, bytes - OVERHEAD_BYTES),
        recycledSegments,
        backgroundForceBytes,
        backgroundForceMillis);
  }

  /** Another record limit. */
  public LogOptions withMaxRecordBytes(int bytes) {
    return new LogOptions(
        segmentBytes,
        retentionBytes,
        bytes,
        recycledSegments,
        backgroundForceBytes,
        backgroundForceMillis);
  }

  /** Another number of segments kept for reuse. */
  public LogOptions withRecycledSegments(int count) {
    return new LogOptions(
        segmentBytes,
        retentionBytes,
        maxRecordBytes,
        count,
        backgroundForceBytes,
        backgroundForceMillis);
  }

  /** Another distance in bytes between background forces. */
  public LogOptions withBackgroundForceBytes(int bytes) {
    return new LogOptions(
        segmentBytes,
        retentionBytes,
        maxRecordBytes,
        recycledSegments,
        bytes,
        backgroundForceMillis);
  }
}
