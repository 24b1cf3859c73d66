package dev.varve.benchmarks;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.cluster.QueryRun;
import java.io.BufferedWriter;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * {@code varve} commands as processes, of the script that started this one. Commands run on the
 * main thread; {@link #stop} may be called from any.
 */
final class VarveProcesses implements QueryRun.Program {
  /** The script that this process was started by says here where it is. */
  private static final String SCRIPT = "varve.script";

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path log;
  private final Set<Process> running = ConcurrentHashMap.newKeySet();
  private volatile boolean stopped;

  /**
   * Commands whose errors go into a file.
   *
   * @param log the file, which is appended to
   */
  VarveProcesses(Path log) {
    this.log = log;
  }

  /** Ends those that run, and refuses all further ones but the stop of a cluster. */
  void stop() {
    stopped = true;
    running.forEach(Process::destroy);
  }

  @Override
  public JsonNode run(List<String> arguments) throws BenchmarkException {
    try (QueryRun.Child child = start(arguments)) {
      return child.finish();
    }
  }

  @Override
  public QueryRun.Child start(List<String> arguments) throws BenchmarkException {
    String script = ManagementFactory.getRuntimeMXBean().getSystemProperties().get(SCRIPT);
    if (script == null) {
      throw new BenchmarkException("start this command by ./varve, which it calls, too");
    }
    boolean last = arguments.contains("stop");
    if (stopped && !last) {
      throw new BenchmarkException("stopped");
    }
    List<String> command = new ArrayList<>(List.of(script, "--progress", "none"));
    command.addAll(arguments);
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
      running.add(process);
      return new Command(arguments, process);
    } catch (IOException failure) {
      throw new BenchmarkException("varve could not be run", failure);
    }
  }

  /** A command that runs. Confined to the main thread. */
  private final class Command implements QueryRun.Child {
    private final String text;
    private final boolean printsJson;
    private final Process process;
    private final BufferedWriter input;
    private @Nullable MappingIterator<JsonNode> documents;

    Command(List<String> arguments, Process process) {
      this.text = String.join(" ", arguments);
      this.printsJson = arguments.contains("--json");
      this.process = process;
      this.input = process.outputWriter(StandardCharsets.UTF_8);
    }

    @Override
    public boolean isAlive() {
      return process.isAlive();
    }

    @Override
    public JsonNode ask(String line) throws BenchmarkException {
      try {
        input.write(line);
        input.newLine();
        input.flush();
        if (documents().hasNextValue()) {
          return documents().nextValue();
        }
      } catch (IOException failure) {
        throw new BenchmarkException("%s: '%s' was not answered".formatted(this, line), failure);
      }
      throw new BenchmarkException("%s: '%s' ended it; see %s".formatted(this, line, log));
    }

    @Override
    public JsonNode finish() throws BenchmarkException {
      JsonNode document = JSON.nullNode();
      try {
        input.close();
        if (printsJson) {
          while (documents().hasNextValue()) {
            document = documents().nextValue();
          }
        } else {
          process.getInputStream().readAllBytes();
        }
        int code = process.waitFor();
        if (code != 0) {
          throw new BenchmarkException("%s ended with %d; see %s".formatted(this, code, log));
        }
        return document;
      } catch (JsonProcessingException malformed) {
        throw new BenchmarkException(this + " printed no JSON", malformed);
      } catch (IOException failure) {
        throw new BenchmarkException(this + " could not be run", failure);
      } catch (InterruptedException interrupt) {
        Thread.currentThread().interrupt();
        throw new BenchmarkException("interrupted", interrupt);
      }
    }

    /** Documents one behind the other; made late, since it waits for the first. */
    private MappingIterator<JsonNode> documents() throws BenchmarkException {
      MappingIterator<JsonNode> made = documents;
      if (made == null) {
        try {
          made = JSON.readerFor(JsonNode.class).readValues(process.getInputStream());
        } catch (IOException failure) {
          throw new BenchmarkException(this + " printed no JSON", failure);
        }
        documents = made;
      }
      return made;
    }

    @Override
    public void close() {
      process.destroy();
      running.remove(process);
    }

    @Override
    public String toString() {
      return "varve " + text;
    }
  }
}
