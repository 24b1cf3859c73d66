package dev.varve.transaction.log;

import dev.varve.common.env.FileSystem;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Copies a log while others append to it: its segments as they are up to one LSN, with zeros behind
 * it, and force marks that say that what is below is durable. What is not forced when the copy is
 * begun is not in it. Whoever copies sees to it that nothing of the log is released meanwhile, or
 * makes another copy where the checkpoint has changed. No state.
 */
public final class LogCopy {
  private static final int BUFFER_BYTES = 1 << 20;
  private static final int MOST_READS_OF_MARKS = 10;

  private LogCopy() {}

  /**
   * Forces what was appended, and copies it.
   *
   * @param context where the log is
   * @param log open in that place
   * @param target directory of the copy, which has no segments; the caller makes all of it durable
   * @return the LSN at which the copy ends
   */
  public static long copy(LogContext context, TransactionLog log, Path target)
      throws StorageException {
    long end = log.endLsn();
    if (end > 0) {
      log.force(end - 1);
    }
    FileSystem files = context.files();
    SegmentFiles originals = new SegmentFiles(files, context.directory());
    SegmentFiles copies = new SegmentFiles(files, target);
    // Those of the directory that the log does not name are prepared for later, or were released
    // and are renamed for their next use at any time.
    for (SegmentSpan span : log.spans()) {
      if (span.firstLsn() <= end) {
        long used = SegmentLayout.HEADER_BYTES + end - span.firstLsn();
        copy(files, originals.path(span.segment()), copies.path(span.segment()), used);
      }
    }
    writeMarks(context, end, target);
    return end;
  }

  /**
   * Copies a log that another process may have open, as far as that process has forced it.
   *
   * @param from where the log's checkpoint says that it is read from
   * @param target directory of the copy, which has no segments; the caller makes all of it durable
   * @return the LSN at which the copy ends
   */
  public static long copyForced(LogContext context, LogPosition from, Path target)
      throws StorageException {
    // Read before the segments, which by then have all that it says is forced.
    long end = forcedEnd(context, from);
    assert end >= from.boundaryLsn() : end;
    FileSystem files = context.files();
    SegmentFiles originals = new SegmentFiles(files, context.directory());
    SegmentFiles copies = new SegmentFiles(files, target);
    for (Map.Entry<Long, Path> original : originals.list().entrySet()) {
      SegmentHeader header = header(files, original.getValue());
      // A segment that is not in use yet may be named by the last seal already.
      long first = header == null ? from.firstLsn() : header.firstLsn();
      long used = header == null ? 0 : SegmentLayout.HEADER_BYTES + end - first;
      if (first >= from.firstLsn() && used >= 0) {
        copy(files, original.getValue(), copies.path(original.getKey()), used);
      }
    }
    writeMarks(context, end, target);
    return end;
  }

  /**
   * How far a log was forced that another process may have open.
   *
   * @param from where the log's checkpoint says that it is read from
   */
  public static long forcedEnd(LogContext context, LogPosition from) throws StorageException {
    for (int i = 1; ; i++) {
      try {
        return Math.max(ForceMarks.read(context).orElse(0), from.durableLsn());
      } catch (CorruptionException torn) {
        // Both slots may have been written while they were read.
        if (i == MOST_READS_OF_MARKS) {
          throw torn;
        }
      }
    }
  }

  private static @Nullable SegmentHeader header(FileSystem files, Path segment)
      throws StorageException {
    byte[] bytes = new byte[SegmentLayout.HEADER_BYTES];
    try (StorageFile file = files.open(segment, OpenMode.READ_ONLY)) {
      int read = file.read(0, bytes, 0, bytes.length);
      return read < bytes.length ? null : SegmentHeader.decode(bytes, segment.toString());
    }
  }

  private static void writeMarks(LogContext context, long end, Path target)
      throws StorageException {
    byte[] marks = ForceMarks.encode(context.storeId(), end);
    try (StorageFile file =
        context.files().open(target.resolve(ForceMarks.NAME), OpenMode.CREATE_NEW)) {
      file.write(0, marks, 0, marks.length);
    }
  }

  /** Copies the beginning of a segment, which then has its size with zeros. */
  private static void copy(FileSystem files, Path source, Path target, long used)
      throws StorageException {
    try (StorageFile from = files.open(source, OpenMode.READ_ONLY);
        StorageFile to = files.open(target, OpenMode.CREATE_NEW)) {
      long size = from.size();
      long end = Math.min(size, used);
      byte[] buffer = new byte[(int) Math.min(BUFFER_BYTES, size)];
      for (long position = 0; position < end; position += buffer.length) {
        int length = (int) Math.min(buffer.length, end - position);
        if (from.read(position, buffer, 0, length) < length) {
          throw new CorruptionException(source.toString(), position, "segment became shorter");
        }
        to.write(position, buffer, 0, length);
      }
      if (end < size) {
        to.write(size - 1, new byte[1], 0, 1);
      }
    }
  }
}
