package dev.varve.common.env;

import dev.varve.common.error.DiskException;
import java.nio.file.Path;

/**
 * A file, or a directory with all that is in it.
 *
 * @param files where it is
 * @param path which it is
 */
public record FileTree(FileSystem files, Path path) {
  /** Deletes it, files before the directories that hold them; not durable by itself. */
  public void delete() throws DiskException {
    if (files.isDirectory(path)) {
      for (Path child : files.list(path)) {
        new FileTree(files, child).delete();
      }
    }
    files.delete(path);
  }

  /** Whether any file is in it that is no directory. */
  public boolean holdsFiles() throws DiskException {
    if (!files.isDirectory(path)) {
      return files.exists(path);
    }
    for (Path child : files.list(path)) {
      if (new FileTree(files, child).holdsFiles()) {
        return true;
      }
    }
    return false;
  }
}
