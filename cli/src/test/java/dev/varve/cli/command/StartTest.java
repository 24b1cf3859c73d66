package dev.varve.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.cli.VarveCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Goal: a command at rest starts with what it needs itself, which is most of what a short command
 * costs. Method: the classes that its process loads.
 */
final class StartTest extends KilledStoreCase {
  private static final Pattern COMMAND =
      Pattern.compile("dev\\.varve\\.cli\\.(command|shell)\\.\\w+Command");

  @ParameterizedTest
  @CsvSource({
    "get --dataset people 3, GetCommand",
    "find --dataset people --words engine, FindCommand",
    "stats --json, StatsCommand",
    "verify, VerifyCommand"
  })
  void aCommandAtRestLoadsNoOtherCommandAndNoCluster(String line, String command) throws Exception {
    Path classes = temporary.resolve("classes");
    Stream<String> java =
        Stream.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xlog:class+load:file=" + classes,
            "-cp",
            System.getProperty("java.class.path"),
            VarveCommand.class.getName(),
            "--progress",
            "none");
    Stream<String> arguments =
        Stream.concat(Stream.of(line.split(" ")), Stream.of("--dir", directory.toString()));
    Path printed = temporary.resolve("printed");
    Process process =
        new ProcessBuilder(Stream.concat(java, arguments).toList())
            .redirectErrorStream(true)
            .redirectOutput(printed.toFile())
            .start();
    try {
      assertTrue(process.waitFor(5, TimeUnit.MINUTES), "it stands still");
      assertEquals(0, process.exitValue(), Files.readString(printed));
    } finally {
      process.toHandle().destroyForcibly();
    }
    // Of a line: time, level and tags in brackets, the class, where it is from.
    List<String> loaded =
        Files.readAllLines(classes).stream()
            .map(said -> said.replaceFirst("^(\\[[^\\]]*\\])+ ", "").split(" ")[0])
            .toList();
    assertTrue(loaded.contains("dev.varve.dataset.StorageEngine"), "it opens the engine");
    assertEquals(
        List.of("dev.varve.cli.command." + command),
        loaded.stream().filter(COMMAND.asMatchPredicate()).toList());
    assertEquals(
        List.of(),
        loaded.stream()
            .filter(name -> name.startsWith("org.apache.hyracks.") || name.startsWith("org.jline."))
            .toList());
  }
}
