package dev.varve.dataset;

import dev.varve.common.bytes.Crc32c;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A small file of text that one process shows to another: replaced as a whole, with a checksum
 * behind the text, and never forced, for nothing in it should survive a crash. Immutable.
 *
 * @param files where it is
 * @param path of it; {@code .next} behind its name while it is written
 */
record ShownFile(FileSystem files, Path path) {
  private static final String TRAILER = "\n#crc32c ";
  private static final int MAX_BYTES = 16 << 20;

  /** Replaces it. */
  void write(String text) throws StorageException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    byte[] trailer = trailer(bytes).getBytes(StandardCharsets.US_ASCII);
    if (files.exists(building())) {
      files.delete(building());
    }
    try (StorageFile file = files.open(building(), OpenMode.CREATE_NEW)) {
      file.write(0, bytes, 0, bytes.length);
      file.write(bytes.length, trailer, 0, trailer.length);
    }
    files.rename(building(), path);
  }

  /** Deletes it, and what a crash may have left of the next one. */
  void delete() throws StorageException {
    for (Path each : List.of(path, building())) {
      if (files.exists(each)) {
        files.delete(each);
      }
    }
  }

  /** Its text, checked; empty when it is not there. */
  Optional<String> read() throws StorageException {
    if (!files.exists(path)) {
      return Optional.empty();
    }
    byte[] bytes;
    try (StorageFile file = files.open(path, OpenMode.READ_ONLY)) {
      long size = file.size();
      if (size > MAX_BYTES) {
        throw new CorruptionException(path.toString(), -1, size + " bytes are too many");
      }
      bytes = new byte[(int) size];
      file.read(0, bytes, 0, bytes.length);
    }
    String text = new String(bytes, StandardCharsets.UTF_8);
    int end = text.lastIndexOf(TRAILER);
    byte[] shown = text.substring(0, Math.max(0, end)).getBytes(StandardCharsets.UTF_8);
    if (end < 0 || !text.substring(end).equals(trailer(shown))) {
      throw new CorruptionException(path.toString(), -1, "wrong checksum");
    }
    return Optional.of(text.substring(0, end));
  }

  private static String trailer(byte[] bytes) {
    return TRAILER + String.format(Locale.ROOT, "%08x", Crc32c.of(bytes, 0, bytes.length)) + "\n";
  }

  private Path building() {
    return path.resolveSibling(path.getFileName() + ".next");
  }
}
