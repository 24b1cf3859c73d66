package dev.varve.cli.command;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.varve.common.error.StorageException;
import dev.varve.report.command.CommandContext;
import dev.varve.report.command.FailureReport;
import dev.varve.report.command.StopSignal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code varve tail-log}: what the write-ahead log holds. */
@Command(
    name = "tail-log",
    description =
        "Print the records of the write-ahead log that recovery would read: position, type,"
            + " transaction, what was done to which index, and the key. Of a cluster or one engine,"
            + " at rest or beside the process that runs it. Changes nothing on disk. Exit code 1"
            + " when the log is damaged, with file and byte.",
    footer = {
      "",
      "A line is: node, LSN, type, transaction, length, operation, dataset/partition/index, key.",
      "A torn tail, writes that were cut short and never forced, is told and no failure. With",
      "--follow and --json each record is a JSON object on a line of its own.",
      "",
      "Examples:",
      "  varve tail-log --dir /tmp/people",
      "  varve tail-log --dir /tmp/tweets --follow --json"
    })
public final class TailLogCommand implements Callable<Integer> {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long LOOK_MILLIS = 500;

  private final CommandContext context;

  @Mixin private CommonOptions common = new CommonOptions();

  @Option(names = "--follow", description = "Go on with records as they are written, until Ctrl-C.")
  private boolean follow;

  /** A command that prints to a context's console. */
  public TailLogCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws StorageException {
    List<LogTail> logs = new ArrayList<>();
    for (Path engine : EngineDirectories.of(context.files(), common.directory)) {
      logs.add(new LogTail(logs.size(), engine, context));
    }
    if (follow) {
      return follow(logs);
    }
    List<LogTail.End> ends = common.json ? printDocument(logs) : print(logs);
    boolean damaged = ends.stream().anyMatch(end -> end.state() == LogTail.State.DAMAGED);
    return damaged ? FailureReport.FAILED : 0;
  }

  private static List<LogTail.End> read(List<LogTail> logs, Consumer<LogEntry> taker)
      throws StorageException {
    List<LogTail.End> ends = new ArrayList<>();
    for (LogTail log : logs) {
      ends.add(log.read(taker));
    }
    return ends;
  }

  private List<LogTail.End> print(List<LogTail> logs) throws StorageException {
    List<LogTail.End> ends = read(logs, entry -> context.console().printLine(entry.line()));
    ends.forEach(this::printEnd);
    return ends;
  }

  private void printEnd(LogTail.End end) {
    String what = "node " + end.node() + ": the log ends at LSN " + end.lsn();
    context.console().out().flush();
    context
        .console()
        .err()
        .println(
            switch (end.state()) {
              case WHOLE -> what;
              case RUNNING -> what + " now, and its engine runs";
              case TORN -> what + ", torn: " + end.message();
              case DAMAGED -> what + ", DAMAGED: " + end.message();
            });
  }

  /** One document, written while the logs are read. */
  private List<LogTail.End> printDocument(List<LogTail> logs) throws StorageException {
    try {
      JsonGenerator json = JSON.getFactory().createGenerator(context.console().out());
      json.writeStartObject();
      json.writeStringField("command", "tail-log");
      json.writeStringField("directory", common.directory.toString());
      json.writeArrayFieldStart("records");
      List<LogTail.End> ends = read(logs, entry -> write(json, entry));
      json.writeEndArray();
      json.writeObjectField("ends", ends);
      json.writeEndObject();
      json.flush();
      context.console().printLine("");
      return ends;
    } catch (IOException failure) {
      throw new UncheckedIOException("print the log", failure);
    }
  }

  private static void write(JsonGenerator json, LogEntry entry) {
    try {
      json.writeObject(entry);
    } catch (IOException failure) {
      throw new UncheckedIOException("print a record", failure);
    }
  }

  private int follow(List<LogTail> logs) throws StorageException {
    CountDownLatch stopped = new CountDownLatch(1);
    try (StopSignal signal = StopSignal.listen(stopped::countDown)) {
      do {
        for (LogTail log : logs) {
          LogTail.End now = log.follow(this::printFollowed);
          assert now.state() == LogTail.State.RUNNING : now;
        }
        context.console().out().flush();
      } while (!stopped.await(LOOK_MILLIS, TimeUnit.MILLISECONDS));
      return signal.exitCode();
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
      return FailureReport.FAILED;
    }
  }

  private void printFollowed(LogEntry entry) {
    if (common.json) {
      try {
        context.console().printLine(JSON.writeValueAsString(entry));
      } catch (IOException impossible) {
        // Numbers and texts are JSON.
        throw new IllegalStateException(impossible);
      }
    } else {
      context.console().printLine(entry.line());
    }
  }
}
