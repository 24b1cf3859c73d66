package dev.varve.cli.command;

import dev.varve.btree.KeyRange;
import dev.varve.btree.bound.KeyBound;
import dev.varve.cli.command.RestingEngines.Access;
import dev.varve.common.env.FileSystem;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.Store;
import dev.varve.dataset.model.EngineRequest;
import dev.varve.report.Console;
import dev.varve.report.Figures;
import dev.varve.report.command.CommandContext;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code varve delete-range}: what lies in a range of keys goes. */
@Command(
    name = DeleteRangeCommand.NAME,
    description =
        "Delete the records with primary keys, or the pairs with keys, from one on to below another,"
            + " of one engine or of a cluster, at rest or beside the process that runs it.",
    footer = {
      "",
      "A value of a primary key is a number, true, false, or text (in double quotes",
      "where it looks like one of those); of a key with several values, repeat the",
      "option. The key of a key-value store is text, or hexadecimal behind 0x.",
      "",
      "Examples:",
      "  varve delete-range --dir /tmp/people --from 100 --to 200",
      "  varve delete-range --dir /tmp/ycsb --from user9"
    })
public final class DeleteRangeCommand implements Callable<Integer> {
  static final String NAME = "delete-range";

  private final CommandContext context;

  @Mixin private CommonOptions common = new CommonOptions();
  @Mixin private StoreOption store = new StoreOption();

  @Option(
      names = "--from",
      paramLabel = "KEY",
      description = "The first key; needed where there is no --to.")
  private List<String> from = List.of();

  @Option(
      names = "--to",
      paramLabel = "KEY",
      description = "The first key that stays; needed where there is no --from.")
  private List<String> to = List.of();

  @Spec private CommandSpec spec = CommandSpec.create();

  /** A command that prints to a context's console. */
  public DeleteRangeCommand(CommandContext context) {
    this.context = context;
  }

  /**
   * What was deleted: printed as a line, or as JSON with these names.
   *
   * @param command {@code delete-range}
   * @param directory where
   * @param dataset the dataset or key-value store
   * @param from values of the first key; none where there was no such bound
   * @param to values of the first key that stays; none where there was no such bound
   * @param seconds how long it took
   */
  private record Result(
      String command,
      String directory,
      String dataset,
      List<String> from,
      List<String> to,
      double seconds) {
    void print(Console console) {
      console.printLine(
          "what '"
              + dataset
              + "' had"
              + (from.isEmpty() ? "" : " from " + String.join(", ", from) + " on")
              + (to.isEmpty() ? "" : " to below " + String.join(", ", to))
              + " is deleted, in "
              + Figures.seconds(seconds));
    }
  }

  @Override
  public Integer call() throws StorageException {
    if (from.isEmpty() && to.isEmpty()) {
      throw new ParameterException(spec.commandLine(), "--from or --to is missing, or both are");
    }
    FileSystem files = context.files();
    long began = context.clock().nanoTime();
    String name;
    try (RestingEngines resting = RestingEngines.open(files, common.directory, Access.CHANGE)) {
      List<Store> stores = resting.stores(store.name);
      name = stores.get(0).name();
      KeyRange keys = keys(new StoreReader(stores));
      for (Store each : stores) {
        each.deleteRange(keys);
      }
    } catch (ConflictException inUse) {
      name = ask(inUse);
    }
    double seconds = (context.clock().nanoTime() - began) / 1e9;
    Result result = new Result(NAME, common.directory.toString(), name, from, to, seconds);
    if (common.json) {
      context.console().printJson(result);
    } else {
      result.print(context.console());
    }
    return 0;
  }

  /** Has the processes do it that run the engines; returns the store's name. */
  private String ask(ConflictException inUse) throws StorageException {
    if (inUse.reason() != ConflictException.Reason.DIRECTORY_IN_USE) {
      throw inUse;
    }
    EngineRequest request;
    try (RestingEngines look =
        RestingEngines.open(context.files(), common.directory, Access.READ)) {
      StoreReader reader = new StoreReader(look.stores(store.name));
      request = EngineRequest.deleteRange(reader.name(), keys(reader));
    }
    RestingEngines.ask(context.files(), common.directory, request, inUse);
    return request.store();
  }

  /** What a key means depends on what is stored, so it is read only then. */
  private KeyRange keys(StoreReader reader) {
    try {
      return KeyRange.between(
          from.isEmpty() ? KeyBound.unbounded() : KeyBound.inclusive(key(reader, from)),
          to.isEmpty() ? KeyBound.unbounded() : KeyBound.exclusive(key(reader, to)));
    } catch (TypeConversionException noKey) {
      throw new ParameterException(spec.commandLine(), noKey.getMessage(), noKey);
    }
  }

  private static byte[] key(StoreReader reader, List<String> values) {
    if (!reader.holdsPairs()) {
      return KeyArgument.parse(values).toBytes();
    }
    if (values.size() != 1) {
      throw new TypeConversionException("a key of '" + reader.name() + "' is one value");
    }
    return StoredEntry.bytes(values.get(0));
  }
}
