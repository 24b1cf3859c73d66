package dev.varve.report.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.report.Console;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/**
 * Goal: whatever command a signal ends, with {@code --json} it prints one document. Method: a
 * process whose command never ends, and SIGTERM.
 */
final class ProgramStopTest {
  @TempDir Path temporary;

  /** A command that never ends. */
  @Command(name = "brood")
  private static final class Brood implements Runnable {
    private final Console console;

    Brood(Console console) {
      this.console = console;
    }

    @Option(names = "--json", description = "One document.")
    private boolean json;

    @Override
    public void run() {
      console.err().println("brooding, " + json);
      console.err().flush();
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException ended) {
        throw new IllegalStateException(ended);
      }
    }
  }

  /** The process. */
  public static void main(String[] arguments) {
    new Program(
            context ->
                new CommandLine(CommandSpec.create().name("hen"))
                    .addSubcommand(new Brood(context.console())),
            List.of())
        .run(
            new Console(
                new PrintWriter(System.out, false, StandardCharsets.UTF_8),
                new PrintWriter(System.err, true, StandardCharsets.UTF_8)),
            arguments);
  }

  private String stopped(String... arguments) throws Exception {
    Path out = temporary.resolve("out");
    Path err = temporary.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-ea",
            "-Xmx64m",
            "-cp",
            System.getProperty("java.class.path"),
            ProgramStopTest.class.getName());
    builder.command().addAll(List.of(arguments));
    Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    try {
      while (!Files.readString(err).contains("brooding")) {
        assertTrue(!process.waitFor(10, TimeUnit.MILLISECONDS), Files.readString(err));
      }
      process.destroy();
      assertTrue(process.waitFor(5, TimeUnit.MINUTES), "it stands still");
      assertEquals(143, process.exitValue(), Files.readString(err));
    } finally {
      process.toHandle().destroyForcibly();
    }
    return Files.readString(out).replaceAll("\\s+", "");
  }

  @Test
  void aCommandThatIsStoppedPrintsADocumentWhereOneIsAskedFor() throws Exception {
    assertEquals("{\"command\":\"brood\",\"stopped\":\"SIGNAL\"}", stopped("brood", "--json"));
    assertEquals("", stopped("brood"));
  }
}
