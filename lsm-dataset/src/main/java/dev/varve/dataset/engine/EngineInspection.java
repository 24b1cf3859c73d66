package dev.varve.dataset.engine;

import dev.varve.common.component.ComponentId;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.env.FileSystem;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.maintenance.StallCause;
import dev.varve.common.maintenance.Usage;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergeDecision;
import dev.varve.common.merge.MergePolicy;
import dev.varve.dataset.catalog.Catalog;
import dev.varve.dataset.catalog.DatasetDescriptor;
import dev.varve.scheduler.gate.ComponentLimit;
import dev.varve.scheduler.policy.CorrelatedPolicy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Looks at an engine from outside, without opening it: who waits for what in one that another
 * process runs, and what would wait in one that nobody runs. Changes nothing that an engine would
 * not change when it is opened. No state.
 */
public final class EngineInspection {
  private static final Pattern COMPONENT = Pattern.compile("c-([0-9]{1,18})-([0-9]{1,18})\\.lsm");

  private EngineInspection() {}

  /** Whether a directory is that of an engine. */
  public static boolean holdsEngine(FileSystem files, Path directory) throws StorageException {
    return files.exists(directory.resolve("store").resolve(Catalog.FILE_NAME));
  }

  /**
   * Who waits in the engine that runs on a directory, as JSON with the names of {@link WaitReport};
   * empty when nobody waits and nothing is to be done.
   */
  public static Optional<String> running(FileSystem files, Path directory) throws StorageException {
    return WaitReportFile.read(files, directory);
  }

  /**
   * What would wait if the engine of a directory were opened now, by its components and policies.
   *
   * @param nowMillis what the report gives as its time
   * @throws ConflictException with {@code DIRECTORY_IN_USE} when it runs
   */
  public static WaitReport stopped(FileSystem files, Path directory, long nowMillis)
      throws StorageException {
    try (FileSystem.DirectoryLock lock = files.lock(directory)) {
      assert lock != null;
      StoreDirectory store = new StoreDirectory(files, directory);
      Catalog catalog = Catalog.open(files, store.catalog());
      Due due = new Due();
      for (DatasetDescriptor dataset : catalog.datasets()) {
        MergePolicy policy = dataset.options().mergePolicy().policy();
        for (int number = 0; number < dataset.options().partitions(); number++) {
          Path partition = store.partition(dataset.datasetId(), number);
          for (int position = 0; position < dataset.indexesPerPartition(); position++) {
            if (position > 0 && policy instanceof CorrelatedPolicy) {
              break; // they follow the primary by LSNs, which are inside of the files
            }
            Path index = partition.resolve("i" + dataset.indexId(number, position));
            due.add(dataset, index.toString(), components(files, index));
          }
        }
      }
      return new WaitReport(
          WaitReport.STOPPED, nowMillis, "", "", 0, due.waits, due.tasks, due.indexes, List.of());
    }
  }

  /** The components of an index by the names and sizes of its files, oldest first. */
  private static List<ComponentStats> components(FileSystem files, Path index)
      throws StorageException {
    if (!files.exists(index)) {
      throw new CorruptionException(index.toString(), -1, "the index is missing");
    }
    List<ComponentStats> found = new ArrayList<>();
    for (Path file : files.list(index)) {
      Matcher name = COMPONENT.matcher(String.valueOf(file.getFileName()));
      if (name.matches()) {
        ComponentId id =
            new ComponentId(Long.parseLong(name.group(1)), Long.parseLong(name.group(2)));
        found.add(new ComponentStats(id, files.size(file), 0, 0, -1));
      }
    }
    found.sort(Comparator.comparing(ComponentStats::id));
    // Inputs of a merge that ended are deleted when the engine is opened.
    return found.stream()
        .filter(
            component ->
                found.stream()
                    .noneMatch(
                        other ->
                            !other.id().equals(component.id())
                                && other.id().covers(component.id())))
        .toList();
  }

  /** Collects what is due; confined to its method. */
  private static final class Due {
    private final List<WaitReport.Wait> waits = new ArrayList<>();
    private final List<WaitReport.Task> tasks = new ArrayList<>();
    private final List<WaitReport.Components> indexes = new ArrayList<>();

    void add(DatasetDescriptor dataset, String index, List<ComponentStats> components) {
      String name = dataset.options().name();
      MergePolicy policy = dataset.options().mergePolicy().policy();
      IndexShape shape = new IndexShape(components, List.of());
      List<Long> numbers = new ArrayList<>();
      while (policy.decide(shape) instanceof MergeDecision.Merge merge) {
        List<ComponentId> inputs = merge.inputs();
        long bytes =
            components.stream()
                .filter(component -> inputs.contains(component.id()))
                .mapToLong(ComponentStats::bytes)
                .sum();
        numbers.add(tasks.size() + 1L);
        tasks.add(
            new WaitReport.Task(
                tasks.size() + 1L,
                "MERGE",
                WaitReport.DUE,
                index,
                "merge of components " + inputs.get(0) + " to " + inputs.get(inputs.size() - 1),
                bytes,
                bytes,
                0));
        List<ComponentId> merging = new ArrayList<>(shape.merging());
        merging.addAll(inputs);
        shape = new IndexShape(components, merging);
      }
      int limit = policy.componentLimit(shape);
      indexes.add(
          new WaitReport.Components(
              name,
              index,
              policy.limitedComponents(shape),
              limit == MergePolicy.UNLIMITED ? 0 : limit));
      Usage usage = ComponentLimit.usage(policy, shape);
      if (usage.full()) {
        waits.add(
            new WaitReport.Wait(
                name,
                StallCause.COMPONENT_LIMIT.name(),
                "writers would wait once the memory is full: " + usage + " disk components",
                index,
                0,
                0,
                numbers,
                List.of()));
      }
    }
  }
}
