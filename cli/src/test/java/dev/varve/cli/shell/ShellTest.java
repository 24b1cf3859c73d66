package dev.varve.cli.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.cli.VarveCommand;
import dev.varve.cli.command.KilledStoreCase;
import dev.varve.cli.command.StoreAccess;
import dev.varve.common.env.LocalFileSystem;
import dev.varve.common.env.SystemClock;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.report.Console;
import dev.varve.report.command.CommandContext;
import dev.varve.report.command.Program;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Goal: a shell runs the commands of a pipe on one directory, changes nothing unless it may, and
 * ends as its commands do. Method: a process of its own with lines on its standard input, over a
 * store that a killed process has left; lines, completion and history also by themselves.
 */
final class ShellTest extends KilledStoreCase {
  /** What a shell said, and its exit code. */
  private record Said(int exitCode, String out, String err) {}

  private Said shell(String lines, String... options) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-ea",
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                VarveCommand.class.getName(),
                "shell",
                "--dir",
                directory.toString()));
    command.addAll(List.of(options));
    Path said = temporary.resolve("out");
    Path complained = temporary.resolve("err");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(said.toFile())
            .redirectError(complained.toFile())
            .start();
    try {
      try (var input = process.getOutputStream()) {
        input.write(lines.getBytes(StandardCharsets.UTF_8));
      }
      assertTrue(process.waitFor(5, TimeUnit.MINUTES), "the shell stands still");
      return new Said(process.exitValue(), Files.readString(said), Files.readString(complained));
    } finally {
      process.toHandle().destroyForcibly();
    }
  }

  @Test
  void linesOfAPipeRunOnOneDirectory() throws Exception {
    Said said =
        shell(
            """
            # a comment, and an empty line

            get --dataset people 3
            find --dataset people --by address.city --range 'New York:New York' --count
            get --dataset pairs k1
            exit
            get --dataset pairs k2
            """);
    assertEquals(0, said.exitCode, said::toString);
    assertTrue(said.out.contains("\"id\":3"), said::toString);
    assertTrue(said.out.lines().anyMatch(line -> line.equals("1")), said::toString);
    assertTrue(said.out.contains("k1\tone"), said::toString);
    assertFalse(said.out.contains("k2"), said::toString);
  }

  @Test
  void theFirstFailureEndsAPipeWithItsExitCode() throws Exception {
    Said said = shell("get --dataset people 9\nget --dataset pairs k1\n");
    assertEquals(1, said.exitCode, said::toString);
    assertFalse(said.out.contains("one"), said::toString);
  }

  @Test
  void keepGoingRunsAllAndKeepsTheFirstExitCode() throws Exception {
    Said said =
        shell(
            "gett 1\nget --dataset people 9\nget --dataset pairs 'k1\nget --dataset pairs k1\n",
            "--keep-going");
    assertEquals(2, said.exitCode, said::toString);
    assertTrue(said.err.contains("did you mean get"), said::toString);
    assertTrue(said.err.contains("a quote is not closed"), said::toString);
    assertTrue(said.out.contains("k1\tone"), said::toString);
  }

  @Test
  void whatChangesAStoreNeedsLeave() throws Exception {
    Said refused = shell("stats\ncompact\n");
    assertEquals(2, refused.exitCode, refused::toString);
    assertTrue(refused.err.contains("--write"), refused::toString);
    Said allowed = shell("get --dataset people 3\ncompact\nget --dataset people 3\n", "--write");
    assertEquals(0, allowed.exitCode, allowed::toString);
    assertEquals(2, allowed.out.split("\"id\":3", -1).length - 1, allowed::toString);
  }

  private ShellRun run(StoreAccess access, int columns) {
    CommandContext context =
        new CommandContext(
            new Console(new PrintWriter(out), new PrintWriter(err), columns),
            new LocalFileSystem(),
            new SystemClock(),
            new ThreadTaskExecutor());
    Program program = new Program(inner -> VarveCommand.commands(inner, access), List.of());
    return new ShellRun(context, access, program, new ShellRun.Setup(directory, false));
  }

  @Test
  void tablesFitTheTerminal() throws Exception {
    try (StoreAccess access = StoreAccess.sharing(directory)) {
      assertEquals(0, run(access, 60).run("stats"), err::toString);
    }
    assertTrue(out.toString().contains("people"), out::toString);
    assertTrue(out.toString().lines().allMatch(line -> line.length() <= 60), out::toString);
  }

  @Test
  void commandsAndOptionsAndNamesAreCompleted() throws Exception {
    try (StoreAccess access = StoreAccess.sharing(directory)) {
      ShellCompleter completer = new ShellCompleter(run(access, 80));
      assertEquals(List.of("stats"), completer.candidates(List.of("sta"), 0, 3));
      assertTrue(completer.candidates(List.of(""), 0, 0).containsAll(List.of("find", "exit")));
      assertEquals(List.of("--dataset"), completer.candidates(List.of("get", "--data"), 1, 6));
      assertEquals(
          List.of("pairs", "people"), completer.candidates(List.of("get", "--dataset", "p"), 2, 1));
      assertTrue(completer.candidates(List.of("find", "--by", ""), 2, 0).contains("address.city"));
    }
  }

  @Test
  void aLineIsTakenApartAsOtherShellsDo() {
    assertEquals(List.of("get", "a b", "c\"d"), ShellLine.parse("get 'a b' c\\\"d").words());
    assertEquals(List.of(), ShellLine.parse("  # get 1").words());
    assertThrows(IllegalArgumentException.class, () -> ShellLine.parse("get 'a"));
  }

  @Test
  void theHistoryKeepsNoPassword() {
    assertEquals(
        "import --dataset d http://host/a.csv",
        TypedLines.discreet("import --dataset d http://ada:secret@host/a.csv"));
    assertEquals("get a@b", TypedLines.discreet("get a@b"));
  }
}
