package dev.varve.benchmarks.store;

import java.io.File;
import java.nio.file.Path;

/** Size of a directory. */
public final class DiskBytes {
  private DiskBytes() {}

  /** Bytes of all files below a directory; one that goes meanwhile counts as empty. */
  public static long below(Path directory) {
    return below(directory.toFile());
  }

  private static long below(File file) {
    File[] children = file.listFiles();
    if (children == null) {
      return file.length();
    }
    long bytes = 0;
    for (File child : children) {
      bytes += below(child);
    }
    return bytes;
  }
}
