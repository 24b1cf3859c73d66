package dev.varve.cli.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.varve.common.env.FileSystem;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.EngineInspection;
import dev.varve.dataset.WaitReport;
import dev.varve.report.command.CommandContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code varve why}: who waits for what. */
@Command(
    name = "why",
    description =
        "Show why writes wait: for which index or log, for which merge or flush, and how much of it"
            + " is left. While another process runs the engines, it is what they wait for now; of a"
            + " directory that is at rest, what would wait if it were opened. Changes nothing.",
    footer = {
      "",
      "Examples:",
      "  varve why --dir /tmp/tweets",
      "  varve why --dir /tmp/tweets --json"
    })
public final class WhyCommand implements Callable<Integer> {
  private static final ObjectMapper JSON =
      new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  private final CommandContext context;

  @Mixin private CommonOptions common = new CommonOptions();

  /** A command that prints to a context's console. */
  public WhyCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws StorageException {
    List<WhyResult.Node> nodes = new ArrayList<>();
    for (Path engine : EngineDirectories.of(context.files(), common.directory)) {
      nodes.add(new WhyResult.Node(nodes.size(), report(engine)));
    }
    WhyResult result = new WhyResult("why", common.directory.toString(), nodes);
    if (common.json) {
      context.console().printJson(result);
    } else {
      result.print(context.console(), context.clock().currentTimeMillis());
    }
    return 0;
  }

  private WaitReport report(Path engine) throws StorageException {
    FileSystem files = context.files();
    long now = context.clock().currentTimeMillis();
    try {
      return EngineInspection.stopped(files, engine, now);
    } catch (ConflictException running) {
      assert running.reason() == ConflictException.Reason.DIRECTORY_IN_USE : running;
      Optional<String> json = EngineInspection.running(files, engine);
      return json.isEmpty() ? WaitReport.nothing(now) : parse(engine, json.get());
    }
  }

  private static WaitReport parse(Path engine, String json) throws CorruptionException {
    try {
      return JSON.readValue(json, WaitReport.class);
    } catch (JsonProcessingException other) {
      throw new CorruptionException(
          engine.toString(), -1, "its report of waits cannot be read: " + other.getMessage());
    }
  }
}
