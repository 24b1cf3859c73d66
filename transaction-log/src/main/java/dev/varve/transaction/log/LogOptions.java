package dev.varve.transaction.log;

import java.util.ArrayList;
import java.util.List;

/**
 * Options of a log; all may change from one opening to the next.
 *
 * @param segmentBytes size of a segment file. Default 64 MiB. Larger: fewer switches, less
 *     fragmentation; more disk space held, more to read at recovery
 * @param maxRecordBytes longest record, headers included; a record never spans segments. Default 8
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
    int maxRecordBytes,
    int recycledSegments,
    int backgroundForceBytes,
    long backgroundForceMillis) {
  /** Bytes of a segment that records cannot use: its header and the seal. */
  private static final int OVERHEAD_BYTES = SegmentLayout.HEADER_BYTES + RecordLayout.SEAL_BYTES;

  /** Refuses contradicting options, all problems at once. */
  public LogOptions {
    List<String> problems = new ArrayList<>();
    if (segmentBytes < 512 || segmentBytes > 1 << 30) {
      problems.add("segmentBytes " + segmentBytes + " is not in 512..2^30");
    }
    if (maxRecordBytes < 128 || maxRecordBytes > segmentBytes - OVERHEAD_BYTES) {
      problems.add(
          "maxRecordBytes "
              + maxRecordBytes
              + " is not in 128..segmentBytes - "
              + OVERHEAD_BYTES
              + " = "
              + (segmentBytes - OVERHEAD_BYTES));
    }
    if (recycledSegments < 0 || recycledSegments > 64) {
      problems.add("recycledSegments " + recycledSegments + " is not in 0..64");
    }
    if (backgroundForceBytes < 1) {
      problems.add("backgroundForceBytes " + backgroundForceBytes + " is not positive");
    }
    if (backgroundForceMillis < 1) {
      problems.add("backgroundForceMillis " + backgroundForceMillis + " is not positive");
    }
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException("log options: " + String.join("; ", problems));
    }
  }

  /** The defaults. */
  public static LogOptions defaults() {
    return new LogOptions(64 << 20, 8 << 20, 2, 256 << 20, 5_000);
  }

  /** Segments of another size, the record limit lowered to what fits. */
  public LogOptions withSegmentBytes(int bytes) {
    return new LogOptions(
        bytes,
        Math.min(maxRecordBytes, bytes - OVERHEAD_BYTES),
        recycledSegments,
        backgroundForceBytes,
        backgroundForceMillis);
  }

  /** Another record limit. */
  public LogOptions withMaxRecordBytes(int bytes) {
    return new LogOptions(
        segmentBytes, bytes, recycledSegments, backgroundForceBytes, backgroundForceMillis);
  }

  /** Another number of segments kept for reuse. */
  public LogOptions withRecycledSegments(int count) {
    return new LogOptions(
        segmentBytes, maxRecordBytes, count, backgroundForceBytes, backgroundForceMillis);
  }

  /** Another distance in bytes between background forces. */
  public LogOptions withBackgroundForceBytes(int bytes) {
    return new LogOptions(
        segmentBytes, maxRecordBytes, recycledSegments, bytes, backgroundForceMillis);
  }
}
