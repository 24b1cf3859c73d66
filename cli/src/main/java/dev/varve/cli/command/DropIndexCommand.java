package dev.varve.cli.command;

import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.EngineRequest;
import dev.varve.report.command.CommandContext;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code varve drop-index}: a secondary index of a dataset and its files go. */
@Command(
    name = DropIndexCommand.NAME,
    description = "Drop a secondary index of a dataset at rest, and delete its files.",
    footer = {
      "",
      "A program that has its engine open calls Dataset.dropIndex, beside readers and writers.",
      "",
      "Examples:",
      "  varve drop-index --dir /tmp/places --dataset places --index keyword:name"
    })
public final class DropIndexCommand implements Callable<Integer> {
  static final String NAME = "drop-index";

  private final CommandContext context;

  @Mixin private CommonOptions common = new CommonOptions();
  @Mixin private StoreOption store = new StoreOption();

  @Option(
      names = "--index",
      required = true,
      paramLabel = "NAME",
      description = "Its name, as stats shows it.")
  private String index = "";

  /** A command that prints to a context's console. */
  public DropIndexCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws StorageException {
    new IndexChange(
            NAME,
            index,
            dataset -> dataset.dropIndex(index),
            name -> EngineRequest.dropIndex(name, index))
        .run(context, common, store);
    return 0;
  }
}
