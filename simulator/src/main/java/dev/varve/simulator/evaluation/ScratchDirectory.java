package dev.varve.simulator.evaluation;

import dev.varve.common.env.FileSystem;
import dev.varve.common.error.DiskException;
import java.nio.file.Path;
import java.util.List;

/** A directory for a node that nobody needs afterwards. Confined to its caller, who closes it. */
public final class ScratchDirectory implements AutoCloseable {
  private final FileSystem files;
  private final Path path;

  /** Makes the directory, in the place of what is there. */
  public ScratchDirectory(FileSystem files, Path path) throws DiskException {
    this.files = files;
    this.path = path;
    delete(path);
    files.createDirectories(path);
  }

  /** Where it is. */
  public Path path() {
    return path;
  }

  private void delete(Path entry) throws DiskException {
    if (!files.exists(entry)) {
      return;
    }
    for (Path inside : inside(entry)) {
      delete(inside);
    }
    files.delete(entry);
  }

  /** What is in a directory; a file has nothing in it, and what is no file cannot be deleted. */
  private List<Path> inside(Path entry) {
    try {
      return files.list(entry);
    } catch (DiskException aFile) {
      return List.of();
    }
  }

  /** Deletes it with everything in it. */
  @Override
  public void close() throws DiskException {
    delete(path);
  }
}
