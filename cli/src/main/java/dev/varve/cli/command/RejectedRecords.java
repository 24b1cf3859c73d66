package dev.varve.cli.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.Slice;
import dev.varve.common.env.FileSystem;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.hyracks.feed.FeedReject;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The records that an import could not take: counted, the first of them named on stderr, and all of
 * them in a file if one is asked for, a JSON object a line. Confined to one thread.
 */
final class RejectedRecords implements AutoCloseable {
  private static final int MOST_NAMED = 5;
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * A line of the file.
   *
   * @param place input and line
   * @param reason why, in a word
   * @param message why, in a sentence
   * @param record what was read
   */
  private record Rejected(String place, String reason, String message, String record) {}

  private final PrintWriter err;
  private final @Nullable FileOutput file;
  private long count;

  private RejectedRecords(PrintWriter err, @Nullable FileOutput file) {
    this.err = err;
    this.file = file;
  }

  /**
   * No records.
   *
   * @param path a file that is not there yet; null for none
   * @throws DiskException when it is there
   */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // closed with this
  static RejectedRecords open(PrintWriter err, FileSystem files, @Nullable Path path)
      throws DiskException {
    return new RejectedRecords(err, path == null ? null : FileOutput.create(files, path));
  }

  /** Takes a record that was refused. */
  void add(String place, StorageException why, Slice record) throws StorageException {
    String reason =
        why instanceof RequestException request
            ? request.reason().name()
            : why.getClass().getSimpleName();
    add(place, reason, String.valueOf(why.getMessage()), record);
  }

  /** Takes a record that was refused elsewhere. */
  void add(String place, String reason, String message, Slice record) throws StorageException {
    count++;
    if (count <= MOST_NAMED) {
      err.println(place + ": " + reason + ": " + message);
    } else if (count == MOST_NAMED + 1) {
      err.println("More records are rejected; --rejects FILE has all of them.");
    }
    if (file != null) {
      String text =
          new String(record.bytes(), record.offset(), record.length(), StandardCharsets.UTF_8);
      write(file, new Rejected(place, reason, message, text));
    }
  }

  /** Writes a line. */
  private static void write(FileOutput file, Rejected rejected) {
    try {
      byte[] line = JSON.writeValueAsBytes(rejected);
      file.write(line, 0, line.length);
      file.write('\n');
    } catch (JsonProcessingException impossible) {
      // Four texts are JSON.
      throw new IllegalStateException(impossible);
    }
  }

  /**
   * Writes what a named feed has left out into a new file.
   *
   * @throws DiskException when it is there
   */
  static void write(FileSystem files, Path path, List<FeedReject> rejects) throws DiskException {
    try (FileOutput file = FileOutput.create(files, path)) {
      for (FeedReject reject : rejects) {
        String place = reject.input() + ":" + reject.number();
        write(file, new Rejected(place, reject.reason().name(), reject.message(), reject.record()));
      }
      file.finish();
    }
  }

  long count() {
    return count;
  }

  @Override
  public void close() throws StorageException {
    if (file != null) {
      file.finish();
      file.close();
    }
  }
}
