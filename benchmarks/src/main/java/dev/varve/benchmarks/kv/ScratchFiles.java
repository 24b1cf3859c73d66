package dev.varve.benchmarks.kv;

import dev.varve.common.env.FileSystem;
import dev.varve.common.error.DiskException;
import java.nio.file.Path;

/** Files that a comparison made and nobody needs any more. Thread-safe: no state. */
public final class ScratchFiles {
  private ScratchFiles() {}

  /** Deletes a directory with everything in it; does nothing when there is none. */
  public static void delete(Path directory, FileSystem files) throws DiskException {
    if (!files.exists(directory)) {
      return;
    }
    for (Path entry : files.list(directory)) {
      if (entry.toFile().isDirectory()) {
        delete(entry, files);
      } else {
        files.delete(entry);
      }
    }
    files.delete(directory);
  }
}
