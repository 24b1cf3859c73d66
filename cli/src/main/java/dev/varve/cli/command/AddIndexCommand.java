package dev.varve.cli.command;

import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.EngineRequest;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.report.command.CommandContext;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code varve add-index}: a dataset gets a secondary index over the records that it has. */
@Command(
    name = AddIndexCommand.NAME,
    description = "Build a secondary index of a dataset at rest from the records that it has.",
    footer = {
      "",
      "Killed, it goes on when an engine is opened on the store. A program that has",
      "its engine open calls Dataset.addIndex, beside its writers.",
      "",
      "Examples:",
      "  varve add-index --dir /tmp/places --dataset places --index keyword:name"
    })
public final class AddIndexCommand implements Callable<Integer> {
  static final String NAME = "add-index";

  private final CommandContext context;

  @Mixin private CommonOptions common = new CommonOptions();
  @Mixin private StoreOption store = new StoreOption();

  @Option(
      names = "--index",
      required = true,
      paramLabel = "[KIND:]FIELD",
      description = "What it is over; kinds are those of import.")
  private String index = "";

  @Spec private CommandSpec spec = CommandSpec.create();

  /** A command that prints to a context's console. */
  public AddIndexCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws StorageException {
    IndexDefinition added = parsed();
    new IndexChange(
            NAME,
            added.name(),
            dataset -> dataset.addIndex(added),
            name -> EngineRequest.addIndex(name, index))
        .run(context, common, store);
    return 0;
  }

  private IndexDefinition parsed() {
    try {
      return IndexDefinition.parse(index);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--index: " + e.getMessage(), e);
    }
  }
}
