package dev.varve.benchmarks.sustainable;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.varve.benchmarks.kv.BenchmarkException;
import dev.varve.common.env.LocalFileSystem;
import dev.varve.common.env.SystemClock;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.dataset.engine.EngineSeams;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Runs each phase in a JVM of its own, so that none inherits another's heap, compiled code or
 * files: the request goes in as an argument, the outcome comes back as a line. Confined to the main
 * thread, but for {@link #stop}.
 */
final class PhaseProcess implements PhaseRunner {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<String> JVM_ARGUMENTS = List.of("-Xms1g", "-Xmx1g", "-XX:+UseG1GC");

  private final Path directory;
  private final Path log;
  private final AtomicReference<@Nullable Process> running = new AtomicReference<>();

  /**
   * Processes whose engines have their files in a directory.
   *
   * @param log where what they write to stderr goes
   */
  PhaseProcess(Path directory, Path log) {
    this.directory = directory;
    this.log = log;
  }

  @Override
  public PhaseOutcome run(PhaseRequest request) throws BenchmarkException {
    ProcessBuilder builder =
        new ProcessBuilder(ProcessHandle.current().info().command().orElse("java"));
    builder.command().addAll(JVM_ARGUMENTS);
    builder
        .command()
        .addAll(
            List.of(
                "-cp",
                ManagementFactory.getRuntimeMXBean().getClassPath(),
                PhaseProcess.class.getName(),
                text(request),
                directory.toString()));
    builder.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
    try {
      Process process = builder.start();
      running.set(process);
      try (BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
        String line = lines.readLine();
        if (line == null) {
          throw new BenchmarkException(request.label() + ": the process ended, see " + log);
        }
        return JSON.readValue(line, PhaseOutcome.class);
      } finally {
        stop();
      }
    } catch (IOException failure) {
      throw new BenchmarkException(request.label() + ": " + failure.getMessage(), failure);
    }
  }

  @Override
  public void stop() {
    Process process = running.getAndSet(null);
    if (process != null) {
      process.destroyForcibly().onExit().join();
    }
  }

  private static String text(Object message) {
    try {
      return JSON.writeValueAsString(message);
    } catch (JsonProcessingException impossible) {
      // Records of numbers, texts and lists; one that Jackson refuses is a bug here.
      throw new IllegalStateException(impossible);
    }
  }

  /** A child: runs the phase that its first argument says, in the directory of its second. */
  public static void main(String[] arguments) throws JsonProcessingException, BenchmarkException {
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    // Whatever a library prints is no outcome.
    System.setOut(new PrintStream(System.err, true));
    PhaseRequest request = JSON.readValue(arguments[0], PhaseRequest.class);
    EngineSeams seams =
        new EngineSeams(
            new LocalFileSystem(),
            new SystemClock(),
            new ThreadTaskExecutor(),
            new SplittableRandom(request.scale().seed()));
    PhaseWork work = new PhaseWork(seams, Path.of(arguments[1]), Double.POSITIVE_INFINITY);
    // What goes wrong ends the process with its trace in the log.
    out.println(text(work.run(request)));
    Runtime.getRuntime().halt(0);
  }
}
