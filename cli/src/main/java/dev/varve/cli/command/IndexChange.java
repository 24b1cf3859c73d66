package dev.varve.cli.command;

import dev.varve.cli.command.RestingEngines.Access;
import dev.varve.common.env.FileSystem;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.Dataset;
import dev.varve.dataset.model.EngineRequest;
import dev.varve.report.command.CommandContext;
import java.nio.file.Path;
import java.util.function.Function;

/**
 * A change of the indexes of a dataset: made here, or by the processes that run its engines.
 *
 * @param command name of the command
 * @param index name of the index
 * @param step the change of the dataset on one node
 * @param request the same, asked of an engine that runs, by the dataset's name
 */
record IndexChange(
    String command, String index, Step step, Function<String, EngineRequest> request) {
  /** A change of a dataset. */
  @FunctionalInterface
  interface Step {
    /** Makes it. */
    void change(Dataset dataset) throws StorageException;
  }

  /** Makes it on all nodes, and prints what came of it. */
  void run(CommandContext context, CommonOptions common, StoreOption store)
      throws StorageException {
    FileSystem files = context.files();
    Path directory = common.directory;
    long began = context.clock().nanoTime();
    String name;
    try (RestingEngines resting = RestingEngines.open(files, directory, Access.CHANGE)) {
      name = resting.datasets(store.name).get(0).name();
      for (Dataset dataset : resting.datasets(store.name)) {
        step.change(dataset);
      }
    } catch (ConflictException inUse) {
      try (RestingEngines look = RestingEngines.open(files, directory, Access.READ)) {
        name = look.datasets(store.name).get(0).name();
      }
      RestingEngines.ask(files, directory, request.apply(name), inUse);
    }
    String changed = name;
    double seconds = (context.clock().nanoTime() - began) / 1e9;
    long entries =
        IndexSize.at(files, directory).stream()
            .filter(size -> size.dataset().equals(changed) && size.index().equals(index))
            .mapToLong(IndexSize::entries)
            .sum();
    new IndexChangeResult(command, directory.toString(), changed, index, entries, seconds)
        .report(common, context.console());
  }
}
