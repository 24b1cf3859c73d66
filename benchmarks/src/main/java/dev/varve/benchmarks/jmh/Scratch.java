package dev.varve.benchmarks.jmh;

import dev.varve.common.env.FileSystem;
import dev.varve.common.env.LocalFileSystem;
import dev.varve.common.error.DiskException;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayDeque;

/**
 * A new directory for one benchmark, below the JVM's directory for temporary files, and removed
 * when it is closed. Confined to one thread.
 */
final class Scratch implements AutoCloseable {
  private final FileSystem files = new LocalFileSystem();
  private final Path directory;

  /** Makes an empty directory. */
  Scratch() throws DiskException {
    try {
      File taken = File.createTempFile("varve-jmh-", "");
      // The name with an ending is nobody else's either, as long as the file itself is there.
      this.directory = Path.of(taken.getPath() + ".d");
      files.createDirectories(directory);
      files.delete(taken.toPath());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  FileSystem files() {
    return files;
  }

  Path directory() {
    return directory;
  }

  /** Removes everything below, deepest first. */
  @Override
  public void close() throws DiskException {
    ArrayDeque<Path> found = new ArrayDeque<>();
    ArrayDeque<Path> toDelete = new ArrayDeque<>();
    found.add(directory);
    while (!found.isEmpty()) {
      Path path = found.remove();
      toDelete.push(path);
      if (path.toFile().isDirectory()) {
        found.addAll(files.list(path));
      }
    }
    for (Path path : toDelete) {
      files.delete(path);
    }
  }
}
