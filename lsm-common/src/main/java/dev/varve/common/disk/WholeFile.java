package dev.varve.common.disk;

import dev.varve.common.env.FileSystem;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.StorageException;
import dev.varve.common.page.ComponentFileWriter;
import java.nio.file.Path;

/** Small files that are written whole, so that one is there as it should be or not. */
final class WholeFile {
  private WholeFile() {}

  /**
   * Writes a file beside its place, and puts it there; durable when this returns. When it throws,
   * the old one or the new one may be there after a crash.
   */
  static void write(FileSystem files, Path path, byte[] bytes) throws StorageException {
    Path building = path.resolveSibling(path.getFileName() + ComponentFileWriter.BUILDING_SUFFIX);
    if (files.exists(building)) {
      files.delete(building);
    }
    try (StorageFile file = files.open(building, FileSystem.OpenMode.CREATE_NEW)) {
      file.write(0, bytes, 0, bytes.length);
      file.force();
    }
    files.rename(building, path);
    Path directory = path.getParent();
    if (directory != null) {
      files.forceDirectory(directory);
    }
  }
}
