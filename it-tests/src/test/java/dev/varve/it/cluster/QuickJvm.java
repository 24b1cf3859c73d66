package dev.varve.it.cluster;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.hyracks.node.ClusterProcesses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a cluster's processes run in that live for seconds. */
public final class QuickJvm {
  private QuickJvm() {}

  /**
   * A JVM that compiles quickly, and not once more for speed: that takes two fifths of the
   * processor time of a test that kills and starts such processes.
   *
   * @param directory where its program is put
   */
  public static ClusterProcesses.Jvm in(Path directory) throws IOException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Path program = directory.resolve("quick-java");
    Files.writeString(
        program, "#!/bin/sh\nexec '%s' -XX:TieredStopAtLevel=1 \"$@\"\n".formatted(java));
    assertTrue(program.toFile().setExecutable(true));
    return new ClusterProcesses.Jvm(
        program.toString(), System.getProperty("java.class.path"), "192m");
  }
}
