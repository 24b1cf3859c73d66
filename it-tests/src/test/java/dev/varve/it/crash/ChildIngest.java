package dev.varve.it.crash;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * {@code varve ingest} in a JVM of its own, to be killed. Its output goes to a file: a pipe would
 * be closed with the kill.
 */
final class ChildIngest implements AutoCloseable {
  private final Process process;
  private final Path log;

  private ChildIngest(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /** Starts one; its output goes to a file. */
  static ChildIngest start(Path log, List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-ea", "-Xmx384m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of("dev.varve.cli.VarveCommand", "--progress=none", "ingest"));
    command.addAll(arguments);
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    return new ChildIngest(process, log);
  }

  /** Lets it run for a while; false when it has ended by itself. */
  boolean runs(long millis) {
    try {
      return !process.waitFor(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }

  /** SIGKILL, and waits until it is gone. */
  void kill() {
    process.toHandle().destroyForcibly();
    assertTrue(!runs(60_000), "the killed process lives");
  }

  /** SIGTERM; the exit code. */
  int terminate() {
    process.toHandle().destroy();
    assertTrue(!runs(60_000), "the process did not stop");
    return process.exitValue();
  }

  /** What it printed. */
  String output() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What it printed, and the stacks of its threads: for when it stands still. */
  String threads() {
    try {
      new ProcessBuilder("kill", "-QUIT", "" + process.pid()).start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
    // A JVM takes its time to print them.
    return "the process " + (runs(2_000) ? "runs\n" : "has ended\n") + output();
  }

  @Override
  public void close() {
    process.toHandle().destroyForcibly();
  }
}
