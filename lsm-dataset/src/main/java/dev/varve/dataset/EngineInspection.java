package dev.varve.dataset;

import dev.varve.common.component.ComponentId;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.disk.StoredComponents;
import dev.varve.common.env.FileSystem;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergeDecision;
import dev.varve.common.merge.MergePolicy;
import dev.varve.common.merge.PartitionedDecision;
import dev.varve.common.merge.PartitionedPolicy;
import dev.varve.common.merge.PartitionedShape;
import dev.varve.common.merge.RangedComponent;
import dev.varve.dataset.internal.catalog.Catalog;
import dev.varve.dataset.internal.catalog.DatasetDescriptor;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.scheduler.admission.ComponentLimit;
import dev.varve.scheduler.admission.StallCause;
import dev.varve.scheduler.admission.WriteConditions.Usage;
import dev.varve.scheduler.policy.CorrelatedPolicy;
import dev.varve.scheduler.policy.ReclaimingPolicy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Looks at an engine from outside, without opening it: who waits for what in one that another
 * process runs, and what would wait in one that nobody runs. Changes nothing that an engine would
 * not change when it is opened. No state.
 */
public final class EngineInspection {
  private EngineInspection() {}

  /** Whether a directory is that of an engine. */
  public static boolean holdsEngine(FileSystem files, Path directory) throws StorageException {
    return files.exists(directory.resolve("store").resolve(Catalog.FILE_NAME));
  }

  /**
   * Options under which the store of a directory opens whatever it was written with: with its own
   * pages, and the widest record limits that they allow. For tools; limits that an embedder has set
   * are not in the store.
   */
  public static EngineOptions.Builder widestOptions(FileSystem files, Path directory)
      throws StorageException {
    int page = Catalog.open(files, StoreDirectory.whole(files, directory).catalog()).pageBytes();
    return EngineOptions.builder(directory).recordLimits(EngineOptions.widestLimits(page));
  }

  /**
   * Who waits in the engine that runs on a directory, as JSON with the names of {@link WaitReport};
   * empty when nobody waits and nothing is to be done.
   */
  public static Optional<String> running(FileSystem files, Path directory) throws StorageException {
    return WaitReportFile.in(files, directory).read();
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
      StoreDirectory store = StoreDirectory.find(files, directory);
      Catalog catalog = Catalog.open(files, store.catalog());
      Due due = new Due();
      for (DatasetDescriptor dataset : catalog.datasets()) {
        MergePolicy policy = dataset.options().mergePolicy().policy();
        for (int number = 0; number < dataset.options().partitions(); number++) {
          Path partition = store.partition(dataset.datasetId(), number);
          for (int position = 0; position < dataset.indexesPerPartition(); position++) {
            if (position > 0 && ReclaimingPolicy.without(policy) instanceof CorrelatedPolicy) {
              break; // they follow the primary by LSNs, which are inside of the files
            }
            Path index = partition.resolve("i" + dataset.indexId(number, position));
            StoredComponents components =
                StoredComponents.read(
                    files, index, catalog.storeId(), dataset.indexId(number, position));
            due.add(dataset, index.toString(), components);
          }
        }
      }
      return new WaitReport(
          WaitReport.STOPPED,
          nowMillis,
          "",
          "",
          0,
          due.waits,
          due.tasks,
          due.indexes,
          List.of(),
          List.of(),
          List.of(),
          List.of(),
          List.of());
    }
  }

  /**
   * Takes a checkpoint of an engine at rest, as {@link StorageEngine#checkpoint} does of an open
   * one; no byte of its directory changes.
   *
   * @throws ConflictException with {@code DIRECTORY_IN_USE} when it runs, or {@code FOREIGN_FILES}
   *     when the target is not empty
   */
  public static CheckpointReport checkpoint(FileSystem files, Path directory, Path target)
      throws StorageException {
    return EngineCheckpoint.ofResting(
        files, directory, target, (from, to, name) -> files.link(from, to));
  }

  /**
   * Copies an engine at rest, such that the copy shares nothing with it. What an earlier copy has
   * with the same size and checksum is linked from there, and does not travel again.
   *
   * @param earlier directory of the earlier copy; null for none
   * @throws ConflictException as {@link #checkpoint} does
   */
  public static BackupReport backup(
      FileSystem files, Path directory, Path target, @Nullable Path earlier)
      throws StorageException {
    EarlierFiles known = new EarlierFiles(files, earlier);
    CheckpointReport taken = EngineCheckpoint.ofResting(files, directory, target, known);
    return new BackupReport(
        taken.components(), taken.componentBytes(), known.reused(), known.copiedBytes());
  }

  /** Collects what is due; confined to its method. */
  private static final class Due {
    private final List<WaitReport.Wait> waits = new ArrayList<>();
    private final List<WaitReport.Task> tasks = new ArrayList<>();
    private final List<WaitReport.Components> indexes = new ArrayList<>();

    void add(DatasetDescriptor dataset, String index, StoredComponents components) {
      String name = dataset.options().name();
      MergePolicy policy = dataset.options().mergePolicy().policy();
      Optional<PartitionedPolicy> partitioned = policy.partitioned();
      int first = tasks.size();
      IndexShape shape =
          partitioned.isPresent() && components.levels().isPresent()
              ? addRanges(index, partitioned.get(), components)
              : addWhole(index, policy, components.shape());
      List<Long> numbers = LongStream.rangeClosed(first + 1, tasks.size()).boxed().toList();
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

    /** The merges of whole components; returns the shape while they go on. */
    private IndexShape addWhole(String index, MergePolicy policy, IndexShape before) {
      IndexShape shape = before;
      while (policy.decide(shape) instanceof MergeDecision.Merge merge) {
        List<ComponentId> inputs = merge.inputs();
        long bytes =
            shape.components().stream()
                .filter(component -> inputs.contains(component.id()))
                .mapToLong(ComponentStats::bytes)
                .sum();
        addTask(
            index,
            "merge of components " + inputs.get(0) + " to " + inputs.get(inputs.size() - 1),
            bytes);
        List<ComponentId> merging = new ArrayList<>(shape.merging());
        merging.addAll(inputs);
        shape = new IndexShape(shape.components(), merging, shape.flushed());
      }
      return shape;
    }

    /** The merges and moves between levels that are cut by key range; returns as the other. */
    private IndexShape addRanges(
        String index, PartitionedPolicy policy, StoredComponents components) {
      PartitionedShape shape = components.levels().orElseThrow();
      PartitionedDecision decision = policy.decide(shape);
      while (!(decision instanceof PartitionedDecision.Wait)) {
        Set<Long> merging = new HashSet<>(shape.merging());
        if (decision instanceof PartitionedDecision.Merge merge) {
          merging.addAll(merge.inputs());
          merging.addAll(merge.overlapped());
          addTask(
              index,
              "merge of components "
                  + merge.inputs()
                  + " of level "
                  + merge.level()
                  + " with "
                  + merge.overlapped()
                  + " of the next",
              bytes(shape, merging) - bytes(shape, shape.merging()));
        } else if (decision instanceof PartitionedDecision.Move move) {
          merging.add(move.number());
          addTask(index, "move of component " + move.number() + " of level " + move.level(), 0);
        }
        shape = new PartitionedShape(shape.flushed(), shape.levels(), merging);
        decision = policy.decide(shape);
      }
      IndexShape whole = components.shape();
      List<ComponentId> merging =
          shape.merging().isEmpty() ? List.of() : List.of(whole.components().get(0).id());
      return new IndexShape(whole.components(), merging, whole.flushed());
    }

    private static long bytes(PartitionedShape shape, Set<Long> numbers) {
      return Stream.concat(
              shape.flushed().stream(),
              shape.levels().stream().flatMap(level -> level.components().stream()))
          .filter(component -> numbers.contains(component.number()))
          .mapToLong(RangedComponent::bytes)
          .sum();
    }

    private void addTask(String index, String what, long bytes) {
      tasks.add(
          new WaitReport.Task(
              tasks.size() + 1L, "MERGE", WaitReport.DUE, index, what, bytes, bytes, 0));
    }
  }
}
