package dev.varve.cli.command;

import dev.varve.common.error.StorageException;
import dev.varve.report.command.CommandContext;
import dev.varve.report.command.FailureReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code varve get}: what has a key. */
@Command(
    name = "get",
    description =
        "Print the record with a primary key, or the pair with a key, of a cluster or one engine at"
            + " rest. Changes nothing on disk. Exit code 1 when there is none.",
    footer = {
      "",
      "A value of a primary key is a number, true, false, or text (in double quotes where it looks",
      "like one of those). The key of a key-value store is text, or hexadecimal behind 0x.",
      "",
      "Examples:",
      "  varve get --dir /tmp/people 3",
      "  varve get --dir /tmp/ycsb user6284781860667377211"
    })
public final class GetCommand implements Callable<Integer> {
  private final CommandContext context;
  private final StoreAccess access;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private CommonOptions common = new CommonOptions();
  @Mixin private StoreOption store = new StoreOption();

  @Parameters(
      paramLabel = "KEY",
      arity = "1..*",
      description = "The values of the primary key, in its order; or the key of the store.")
  private List<String> key = new ArrayList<>();

  /** A command that prints to a context's console, and reads stores that others may share. */
  public GetCommand(CommandContext context, StoreAccess access) {
    this.context = context;
    this.access = access;
  }

  @Override
  public Integer call() throws StorageException {
    ReadResult result;
    try (RestingEngines resting = access.read(context.files(), common.directory)) {
      StoreReader reader = new StoreReader(resting.stores(store.name));
      long began = context.clock().nanoTime();
      Optional<StoredEntry> found = get(reader);
      double seconds = (context.clock().nanoTime() - began) / 1e9;
      List<StoredEntry> records = found.stream().toList();
      result =
          new ReadResult(
              "get", reader.name(), IndexNames.PRIMARY, records.size(), seconds, records);
    }
    if (common.json) {
      context.console().printJson(result);
    } else {
      result.print(context.console());
    }
    return result.count() > 0 ? 0 : FailureReport.FAILED;
  }

  /** What a key means depends on what is stored, so it is read only now. */
  private Optional<StoredEntry> get(StoreReader reader) throws StorageException {
    try {
      return reader.get(key);
    } catch (TypeConversionException noKey) {
      throw new ParameterException(spec.commandLine(), noKey.getMessage(), noKey);
    }
  }
}
