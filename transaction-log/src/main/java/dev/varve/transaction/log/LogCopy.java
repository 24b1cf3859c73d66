package dev.varve.transaction.log;

import dev.varve.common.env.FileSystem;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import java.nio.file.Path;

/**
 * Copies a log while others append to it: its segments as they are up to one LSN, with zeros behind
 * it, and force marks that say that what is below is durable. What is not forced when the copy is
 * begun is not in it. Whoever copies sees to it that nothing of the log is released meanwhile. No
 * state.
 */
public final class LogCopy {
  private static final int BUFFER_BYTES = 1 << 20;

  private LogCopy() {}

  /**
   * Forces what was appended, and copies it.
   *
   * @param context where the log is
   * @param log open in that place
   * @param target directory of the copy, which has no segments; the caller makes it durable
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
    byte[] marks = ForceMarks.encode(context.storeId(), end);
    try (StorageFile file = files.open(target.resolve(ForceMarks.NAME), OpenMode.CREATE_NEW)) {
      file.write(0, marks, 0, marks.length);
      file.force();
    }
    return end;
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
      to.force();
    }
  }
}
