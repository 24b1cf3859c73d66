package dev.varve.benchmarks.ycsb;

import dev.varve.common.env.FileSystem;
import dev.varve.common.error.DiskException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Takes files out of the system's page cache. Thread-safe: no state. */
final class ColdFiles {
  private ColdFiles() {}

  /**
   * Writes back and drops the cached pages of all files below a directory, and of no others, which
   * any user may: GNU's {@code dd} gives the advice that no JDK can give.
   *
   * @return whether the system took the advice for every file
   */
  static boolean drop(Path directory, FileSystem files) throws DiskException {
    return run(List.of("sync")) && dropBelow(directory, files);
  }

  private static boolean dropBelow(Path directory, FileSystem files) throws DiskException {
    boolean dropped = true;
    for (Path entry : files.list(directory)) {
      dropped &=
          entry.toFile().isDirectory()
              ? dropBelow(entry, files)
              : run(List.of("dd", "if=" + entry, "iflag=nocache", "count=0", "status=none"));
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
