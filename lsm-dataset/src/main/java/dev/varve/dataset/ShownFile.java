package dev.varve.dataset;

import dev.varve.common.bytes.ChecksummedJson;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A JSON object in a small file, as one process shows it to another: replaced as a whole, with a
 * checksum. It is not forced where nothing in it should survive a crash. Immutable.
 *
 * @param files where it is
 * @param path of it; {@code .next} behind its name while it is written
 */
record ShownFile(FileSystem files, Path path) {
  private static final int MAX_BYTES = 16 << 20;

  /** Replaces it, durably once its directory is forced. */
  void writeForced(String object) throws StorageException {
    write(object, StorageFile::force);
  }

  /** Replaces it. */
  void write(String object) throws StorageException {
    write(object, file -> {});
  }

  /** What is done to a new file before it gets its name. */
  @FunctionalInterface
  private interface Written {
    void done(StorageFile file) throws StorageException;
  }

  private void write(String object, Written written) throws StorageException {
    byte[] bytes = ChecksummedJson.seal(object);
    if (files.exists(building())) {
      files.delete(building());
    }
    try (StorageFile file = files.open(building(), OpenMode.CREATE_NEW)) {
      file.write(0, bytes, 0, bytes.length);
      written.done(file);
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

  /** Its object, checked; empty when it is not there. */
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
    Optional<String> object = ChecksummedJson.open(bytes);
    if (object.isEmpty()) {
      throw new CorruptionException(path.toString(), -1, "wrong checksum");
    }
    return object;
  }

  private Path building() {
    return path.resolveSibling(path.getFileName() + ".next");
  }
}
