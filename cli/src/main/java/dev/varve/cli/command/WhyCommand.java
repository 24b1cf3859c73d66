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
import dev.varve.hyracks.node.Cluster;
import dev.varve.hyracks.node.JobFailedException;
import dev.varve.report.command.CommandContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
      "  varve why --dir /tmp/tweets --json",
      "  varve why --cluster 127.0.0.1:40001"
    })
public final class WhyCommand implements Callable<Integer> {
  private static final ObjectMapper JSON =
      new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  private final CommandContext context;

  @Mixin private TargetOptions target = new TargetOptions();

  /** A command that prints to a context's console. */
  public WhyCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws StorageException, JobFailedException {
    List<WhyResult.Node> nodes = new ArrayList<>();
    if (target.isElsewhere()) {
      try (Cluster cluster = target.connect()) {
        for (Map.Entry<Integer, Optional<String>> node : cluster.waits().entrySet()) {
          String name = "node " + node.getKey();
          nodes.add(new WhyResult.Node(node.getKey(), running(name, node.getValue())));
        }
      }
    } else {
      // Their files tell it also of a node that does not answer.
      for (Path engine : EngineDirectories.of(context.files(), target.directory())) {
        nodes.add(new WhyResult.Node(nodes.size(), report(engine)));
      }
    }
    WhyResult result = new WhyResult("why", target.text(), nodes);
    if (target.json) {
      context.console().printJson(result);
    } else {
      result.print(context.console(), context.clock().currentTimeMillis());
    }
    return 0;
  }

  private WaitReport report(Path engine) throws StorageException {
    FileSystem files = context.files();
    try {
      return EngineInspection.stopped(files, engine, context.clock().currentTimeMillis());
    } catch (ConflictException running) {
      assert running.reason() == ConflictException.Reason.DIRECTORY_IN_USE : running;
      return running(engine.toString(), EngineInspection.running(files, engine));
    }
  }

  private WaitReport running(String engine, Optional<String> json) throws CorruptionException {
    if (json.isEmpty()) {
      return WaitReport.nothing(context.clock().currentTimeMillis());
    }
    try {
      return JSON.readValue(json.get(), WaitReport.class);
    } catch (JsonProcessingException other) {
      throw new CorruptionException(
          engine, -1, "its report of waits cannot be read: " + other.getMessage());
    }
  }
}
