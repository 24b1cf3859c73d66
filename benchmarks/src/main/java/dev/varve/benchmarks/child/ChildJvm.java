package dev.varve.benchmarks.child;

import com.fasterxml.jackson.databind.JsonNode;
import dev.varve.common.env.TaskExecutor;
import dev.varve.common.env.Worker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A JVM of its own on this JVM's class path, whose main class runs a {@link ChildLoop} with the
 * workload that its one argument names. Confined to the main thread, but for {@link #kill}; a
 * thread of its own reads what the child says.
 */
public final class ChildJvm implements ChildLink {
  /** What the reader hands on when the child has ended. */
  private static final String END = "";

  private static final long POLL_MILLIS = 500;

  private final Start start;
  private final Process process;
  private final PrintWriter requests;
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
  private final TaskExecutor.Handle reader;

  /**
   * How a child is started.
   *
   * @param label of its store
   * @param jvmArguments of its JVM
   * @param log where what it writes to stderr goes
   */
  public record Start(String label, List<String> jvmArguments, Path log) {
    /** Copies the list. */
    public Start {
      jvmArguments = List.copyOf(jvmArguments);
    }
  }

  private ChildJvm(Start start, Process process, TaskExecutor executor) {
    this.start = start;
    this.process = process;
    this.requests = new PrintWriter(process.getOutputStream(), true, StandardCharsets.UTF_8);
    this.reader = executor.start(new Reader());
  }

  /**
   * Starts a child; the caller closes it.
   *
   * @param main its main class
   * @param workload the argument of that
   */
  public static ChildJvm start(Class<?> main, String workload, Start start, TaskExecutor executor)
      throws BenchmarkException {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(start.jvmArguments());
    command.add("-cp");
    command.add(ManagementFactory.getRuntimeMXBean().getClassPath());
    command.add(main.getName());
    command.add(workload);
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectError(ProcessBuilder.Redirect.appendTo(start.log().toFile()))
              .start();
      return new ChildJvm(start, process, executor);
    } catch (IOException failure) {
      throw new BenchmarkException("no process for " + start.label(), failure);
    }
  }

  /** Reads line by line until the child's end. */
  private final class Reader implements Worker {
    private final BufferedReader lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));

    @Override
    public String name() {
      return "bench-" + start.label();
    }

    @Override
    public int doWork() {
      String line = null;
      try {
        line = lines.readLine();
      } catch (IOException killed) {
        assert line == null;
      }
      answers.add(line == null ? END : line);
      return line == null ? 0 : 1;
    }

    @Override
    public void failed(Throwable cause) {
      answers.add(END);
    }
  }

  @Override
  public <R> @Nullable R ask(
      Object request, Class<R> result, double seconds, DoubleConsumer progress)
      throws BenchmarkException {
    assert seconds > 0;
    requests.println(Wire.write(request));
    for (double left = seconds; left > 0; left -= POLL_MILLIS / 1e3) {
      String line = next();
      while (line != null) {
        if (line.equals(END)) {
          throw new BenchmarkException("the process ended, see " + start.log());
        }
        // What native code prints to stdout is no answer.
        if (line.startsWith("{")) {
          Answer answer = Wire.read(line, Answer.class);
          if (answer.last()) {
            if (answer.problem() != null) {
              throw new BenchmarkException(answer.problem());
            }
            JsonNode came = answer.result();
            return came == null ? null : Wire.read(came, result);
          }
          progress.accept(answer.progress());
        }
        line = answers.poll();
      }
    }
    kill();
    throw new BenchmarkException("no answer within %.0f s, killed".formatted(seconds));
  }

  /** The next line; null when none came for a while. */
  private @Nullable String next() throws BenchmarkException {
    try {
      return answers.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new BenchmarkException("interrupted", interrupt);
    }
  }

  @Override
  public void kill() {
    // Through its handle: the process itself would close our end of the pipe in the reader's hands.
    process.toHandle().destroyForcibly();
    ProcessHandle ended = process.onExit().join().toHandle();
    assert !ended.isAlive();
  }

  @Override
  public void close() {
    kill();
    reader.close();
    requests.close();
  }
}
