package dev.varve.benchmarks.kv;

import dev.varve.benchmarks.store.StoreSettings;
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
 * A JVM of its own that runs {@link StoreProcess} on this JVM's class path. Confined to the main
 * thread, but for {@link #kill}; a thread of its own reads what the child says.
 */
final class ChildProcess implements StoreLink {
  /** What the reader hands on when the child has ended. */
  private static final String END = "";

  private static final long POLL_MILLIS = 500;

  private final Contender contender;
  private final Process process;
  private final PrintWriter requests;
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
  private final TaskExecutor.Handle reader;
  private final Path log;

  private ChildProcess(Contender contender, Process process, Path log, TaskExecutor executor) {
    this.contender = contender;
    this.process = process;
    this.log = log;
    this.requests = new PrintWriter(process.getOutputStream(), true, StandardCharsets.UTF_8);
    this.reader = executor.start(new Reader());
  }

  /** Starts a child; what it writes to stderr goes into a file in a directory for that. */
  static ChildProcess start(
      Contender contender, StoreSettings settings, Path logs, TaskExecutor executor)
      throws BenchmarkException {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(contender.jvmArguments(settings));
    command.add("-cp");
    command.add(ManagementFactory.getRuntimeMXBean().getClassPath());
    command.add(StoreProcess.class.getName());
    Path log = logs.resolve(settings.directory().getFileName() + ".log");
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
      return new ChildProcess(contender, process, log, executor);
    } catch (IOException failure) {
      throw new BenchmarkException("no process for " + contender.label(), failure);
    }
  }

  /** Reads line by line until the child's end. */
  private final class Reader implements Worker {
    private final BufferedReader lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));

    @Override
    public String name() {
      return "bench-" + contender.label();
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
  public @Nullable Measurement ask(Request request, double seconds, DoubleConsumer progress)
      throws BenchmarkException {
    requests.println(Wire.write(request));
    for (double left = seconds; left > 0; left -= POLL_MILLIS / 1e3) {
      String line = next();
      while (line != null) {
        if (line.equals(END)) {
          throw new BenchmarkException("the process ended, see " + log);
        }
        // What native code prints to stdout is no answer.
        if (line.startsWith("{")) {
          Answer answer = Wire.read(line, Answer.class);
          if (answer.last()) {
            if (answer.problem() != null) {
              throw new BenchmarkException(answer.problem());
            }
            return answer.measurement();
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
