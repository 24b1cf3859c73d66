package dev.varve.cli.command;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.DiskException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What an ingest acknowledged, line by line as it went: {@code <partition> <id>}. A line says that
 * every tweet from the ingest's first id up to that id which belongs to that partition has been
 * dealt with, durably: it is in the dataset, or was refused and counted. It is written after the
 * force that makes it true, so the file may say less than what is on disk, never more.
 *
 * <p>The file is appended to by every ingest that names it. What a killed process left of a last
 * line is cut off by the next one, and overlooked by {@link #read}. The file itself is not forced:
 * it is a test's witness of a kill, not of a power loss. Thread-safe.
 */
final class AcknowledgementFile implements AutoCloseable {
  private final ReentrantLock lock = new ReentrantLock();
  private final StorageFile file;
  private long end;

  private AcknowledgementFile(StorageFile file, long end) {
    this.file = file;
    this.end = end;
  }

  /** Opens a file to append to; creates it when it is absent. */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // The file is the result's to close.
  static AcknowledgementFile open(FileSystem files, Path path) throws DiskException {
    StorageFile file =
        files.open(path, files.exists(path) ? OpenMode.READ_WRITE : OpenMode.CREATE_NEW);
    try {
      long end = wholeLines(text(file));
      file.truncate(end);
      return new AcknowledgementFile(file, end);
    } catch (DiskException failure) {
      file.close();
      throw failure;
    }
  }

  /** Appends a line. */
  void append(int partition, long id) throws DiskException {
    byte[] line = (partition + " " + id + "\n").getBytes(StandardCharsets.US_ASCII);
    lock.lock();
    try {
      file.write(end, line, 0, line.length);
      end += line.length;
    } finally {
      lock.unlock();
    }
  }

  /** The highest acknowledged id by partition. */
  static Map<Integer, Long> read(FileSystem files, Path path)
      throws DiskException, CorruptionException {
    Map<Integer, Long> highest = new TreeMap<>();
    try (StorageFile file = files.open(path, OpenMode.READ_ONLY)) {
      String text = text(file);
      int number = 0;
      for (String line : text.substring(0, wholeLines(text)).lines().toList()) {
        number++;
        if (!line.matches("[0-9]{1,9} [0-9]{1,18}")) {
          throw new CorruptionException(
              path.toString(), -1, "line " + number + " is no acknowledgement: '" + line + "'");
        }
        int blank = line.indexOf(' ');
        highest.merge(
            Integer.valueOf(line.substring(0, blank)),
            Long.valueOf(line.substring(blank + 1)),
            Math::max);
      }
    }
    return highest;
  }

  private static String text(StorageFile file) throws DiskException {
    byte[] bytes = new byte[Math.toIntExact(file.size())];
    int length = file.read(0, bytes, 0, bytes.length);
    return new String(bytes, 0, length, StandardCharsets.US_ASCII);
  }

  private static int wholeLines(String text) {
    return text.lastIndexOf('\n') + 1;
  }

  @Override
  public void close() {
    file.close();
  }
}
