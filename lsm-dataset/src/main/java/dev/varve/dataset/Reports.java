package dev.varve.dataset;

import dev.varve.btree.KeyRange;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.internal.partition.NodeContext;
import dev.varve.dataset.internal.partition.Partition;
import dev.varve.dataset.internal.partition.PartitionCheck;
import dev.varve.dataset.internal.partition.PartitionIndexes;
import dev.varve.dataset.internal.partition.ValueReclaim;
import dev.varve.dataset.model.LargeValueStats;
import dev.varve.dataset.model.PartitionStats;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.scheduler.admission.StallReport;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/** What datasets and key-value stores report and do as wholes. No state. */
final class Reports {
  private Reports() {}

  static void flush(ManagedDataset dataset) throws StorageException {
    // All are sealed before the first is waited for, so that they are flushed side by side.
    dataset.writeBuffer().seal();
    for (Partition partition : dataset.partitions()) {
      partition.flush();
    }
  }

  static void compact(ManagedDataset dataset) throws StorageException {
    for (Partition partition : dataset.partitions()) {
      partition.compact();
    }
  }

  static VerifyReport verify(List<ManagedDataset> datasets) throws StorageException {
    long components = 0;
    long records = 0;
    long entries = 0;
    long misplaced = 0;
    List<String> problems = new ArrayList<>();
    for (ManagedDataset dataset : datasets) {
      long misplacedBefore = misplaced;
      for (Partition partition : dataset.partitions()) {
        PartitionCheck check = partition.verify();
        components += check.components();
        records += check.records();
        entries += check.entries();
        misplaced += check.misplaced();
        for (String problem : check.problems()) {
          if (problems.size() < VerifyReport.MAX_PROBLEMS) {
            problems.add(problem);
          }
        }
      }
      if (misplaced > misplacedBefore && problems.size() < VerifyReport.MAX_PROBLEMS) {
        // Of the records of one key only one is where it belongs.
        sharedKeys(dataset)
            .problem(dataset.descriptor().options().name(), "partitions")
            .ifPresent(problems::add);
      }
    }
    return new VerifyReport(
        datasets.size(), components, records, entries, misplaced, problems, List.of());
  }

  @SuppressWarnings("MustBeClosedChecker") // closed when they were read
  private static SharedKeys sharedKeys(ManagedDataset dataset) throws StorageException {
    List<RecordCursor> partitions = new ArrayList<>();
    try {
      for (Partition partition : dataset.partitions()) {
        partitions.add(partition.scan(KeyRange.all()));
      }
    } catch (StorageException | RuntimeException | Error e) {
      partitions.forEach(RecordCursor::close);
      throw e;
    }
    return SharedKeys.of(partitions);
  }

  static DatasetStats stats(ManagedDataset dataset) throws StorageException {
    List<PartitionStats> partitions = new ArrayList<>();
    for (Partition partition : dataset.partitions()) {
      partitions.add(withValues(partition.stats(), partition));
    }
    return describe(dataset, partitions);
  }

  /** The statistics of a dataset without making it active. */
  static DatasetStats statsIfActive(ManagedDataset dataset) throws StorageException {
    List<PartitionStats> partitions = new ArrayList<>();
    for (Partition partition : dataset.partitions()) {
      partition
          .lifecycle()
          .ifOpen(PartitionIndexes::stats)
          .map(stats -> withValues(stats, partition))
          .ifPresent(partitions::add);
    }
    return describe(dataset, partitions);
  }

  private static PartitionStats withValues(PartitionStats stats, Partition partition) {
    ValueReclaim values = partition.reclaim();
    return values == null ? stats : stats.with(values.stats());
  }

  static EngineStats.MemorySummary memory(NodeContext node, ActiveDatasets active) {
    return new EngineStats.MemorySummary(
        active.budgetBytes(),
        node.snapshots().list(),
        node.snapshots().savedBytes(),
        keptValueBytes(active.list()));
  }

  /** Bytes of large values that stay for snapshots alone. */
  static long keptValueBytes(List<ManagedDataset> datasets) {
    return datasets.stream()
        .flatMap(dataset -> dataset.partitions().stream())
        .map(Partition::reclaim)
        .filter(Objects::nonNull)
        .mapToLong(ValueReclaim::keptBytes)
        .sum();
  }

  /** Where space of large values is given back, cannot be, or stays for snapshots, as text. */
  static List<String> values(List<ManagedDataset> datasets) {
    List<String> texts = new ArrayList<>();
    for (ManagedDataset dataset : datasets) {
      for (Partition partition : dataset.partitions()) {
        ValueReclaim values = partition.reclaim();
        LargeValueStats stats = values == null ? null : values.stats();
        if (stats != null && !stats.quiet()) {
          texts.add("'%s': %s".formatted(dataset.descriptor().options().name(), stats));
        }
      }
    }
    return texts;
  }

  private static DatasetStats describe(ManagedDataset dataset, List<PartitionStats> partitions) {
    return new DatasetStats(
        dataset.descriptor().options().name(),
        dataset.descriptor().datasetId(),
        !partitions.isEmpty(),
        dataset.memoryBudget(),
        dataset.writeBuffer().memoryBytes(),
        partitions);
  }

  /** What writers waited for, by cause. */
  static List<EngineStats.StallSummary> stalls(StallReport report) {
    return report.totals().keySet().stream()
        .map(cause -> FlowMeter.summary(cause.name(), report, each -> each == cause))
        .sorted(Comparator.comparing(EngineStats.StallSummary::cause))
        .toList();
  }
}
