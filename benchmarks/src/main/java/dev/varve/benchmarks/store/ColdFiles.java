package dev.varve.benchmarks.store;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Takes files out of the system's page cache. Thread-safe: no state. */
public final class ColdFiles {
  private ColdFiles() {}

  /**
   * Writes back and drops the cached pages of all files below a directory, and of no others, which
   * any user may: GNU's {@code dd} gives the advice that no JDK can give.
   *
   * @return whether the system took the advice for every file
   */
  public static boolean drop(Path directory) {
    return run(List.of("sync")) && dropBelow(directory.toFile());
  }

  private static boolean dropBelow(File file) {
    File[] children = file.listFiles();
    if (children == null) {
      return run(List.of("dd", "if=" + file, "iflag=nocache", "count=0", "status=none"));
    }
    boolean dropped = true;
    for (File child : children) {
      dropped &= dropBelow(child);
    }
    return dropped;
  }

  private static boolean run(List<String> command) {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.onExit().join().exitValue() == 0;
    } catch (IOException noSuchCommand) {
      return false;
    }
  }
}
