package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a process with little heap, or with few file handles, has a smaller store and not a broken
 * one. Method: child processes that are limited by the JVM and by the shell; see {@link
 * SmallProcess}.
 */
@Tag("slow")
@EnabledOnOs({OS.LINUX, OS.MAC})
class SmallProcessTest {
  @TempDir private Path temporary;

  @Test
  void defaultsLoadAndOpenAgainInAHeapOf48MiB() throws Exception {
    assertEquals("", run("true", "-Xmx48m", "load"));
    assertEquals("found " + SmallProcess.RECORDS + "\n", run("true", "-Xmx48m", "scan"));
  }

  @Test
  void defaultsLoadAndOpenAgainInAHeapOf96MiB() throws Exception {
    assertEquals("", run("true", "-Xmx96m", "load"));
    assertEquals("found " + SmallProcess.RECORDS + "\n", run("true", "-Xmx96m", "scan"));
  }

  @Test
  void severalStoresLoadAtOnceInAHeapOf48MiB() throws Exception {
    assertEquals("", run("true", "-Xmx48m", "load-several"));
    assertEquals(
        "found " + SmallProcess.FEWER_RECORDS + "\n", run("true", "-Xmx48m", "scan-several"));
  }

  @Test
  void recoveryKeepsToTheHeapThatTheProcessHadBefore() throws Exception {
    assertEquals("", run("true", "-Xmx48m", "load-and-halt"));
    assertEquals("found " + SmallProcess.RECORDS + "\n", run("true", "-Xmx48m", "scan"));
  }

  @Test
  void manyStoresGoThroughFewFileHandlesAndSurviveThatThereAreNone() throws Exception {
    String output = run("ulimit -n 96", "-Xmx256m", "handles");
    assertTrue(output.contains("DiskException"), "refused when there are none: " + output);
    assertTrue(output.contains("problems []"), output);
    for (String thread : List.of("watchdog", "flush", "merge-1", "checkpoint", "log-segments")) {
      assertTrue(output.contains("varve-" + thread), output);
    }
    assertEquals(
        "found " + SmallProcess.expectedPairs() + "\n", run("ulimit -n 96", "-Xmx256m", "read"));
  }

  /** What a child prints, which ends well. */
  private String run(String limit, String heap, String what) throws Exception {
    Path output = temporary.resolve(what + ".txt");
    Process child =
        new ProcessBuilder(
                "sh",
                "-c",
                limit + " && exec \"$@\"",
                "sh",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                heap,
                "-XX:TieredStopAtLevel=1",
                // It says on the standard output that it has no provider, unless it is given one.
                "-Dlog4j2.loggerContextFactory="
                    + "org.apache.logging.log4j.simple.SimpleLoggerContextFactory",
                "-cp",
                System.getProperty("java.class.path"),
                SmallProcess.class.getName(),
                what,
                temporary.resolve("store").toString())
            .redirectOutput(output.toFile())
            .redirectError(temporary.resolve("errors.txt").toFile())
            .start();
    int code = child.waitFor();
    String text = Files.readString(output, StandardCharsets.UTF_8);
    String errors = Files.readString(temporary.resolve("errors.txt"), StandardCharsets.UTF_8);
    assertEquals(0, code, text + errors);
    return text;
  }
}
