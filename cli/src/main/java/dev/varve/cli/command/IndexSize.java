package dev.varve.cli.command;

import dev.varve.cli.command.RestingEngines.Access;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.env.FileSystem;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.DatasetStats;
import dev.varve.dataset.EngineStats;
import dev.varve.dataset.StorageEngine;
import dev.varve.dataset.model.IndexStats;
import dev.varve.dataset.model.PartitionStats;
import dev.varve.hyracks.node.Cluster;
import dev.varve.hyracks.node.JobFailedException;
import dev.varve.report.Figures;
import dev.varve.report.Table;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one index holds on disk, on all partitions of all nodes.
 *
 * @param dataset the dataset or key-value store that it is of
 * @param index {@code primary}, or the secondary's name
 * @param kind what it is: {@code btree}, {@code rtree} and so on
 * @param components disk components
 * @param entries entries in them, antimatter included
 * @param obsolete those that repairs have found to be obsolete, and that searches leave out
 * @param bytes bytes of their files
 */
record IndexSize(
    String dataset,
    String index,
    String kind,
    long components,
    long entries,
    long obsolete,
    long bytes) {
  /** The indexes of everything that a cluster stores, the primary of each first. */
  static List<IndexSize> of(Cluster cluster) throws StorageException, JobFailedException {
    cluster.activate();
    return ofAll(cluster.stats().values());
  }

  /** The same of all engines of a directory, at rest or beside the processes that run them. */
  static List<IndexSize> at(FileSystem files, Path directory) throws StorageException {
    try (RestingEngines engines = RestingEngines.open(files, directory, Access.READ)) {
      engines.activate();
      return of(engines.engines());
    }
  }

  /** The same for engines without their cluster. */
  static List<IndexSize> of(List<StorageEngine> engines) throws StorageException {
    List<EngineStats> stats = new ArrayList<>();
    for (StorageEngine engine : engines) {
      stats.add(engine.stats());
    }
    return ofAll(stats);
  }

  /** Those of all nodes, the primary of each dataset first. */
  static List<IndexSize> ofAll(Collection<EngineStats> nodes) {
    Map<List<String>, IndexSize> sizes = new LinkedHashMap<>();
    for (EngineStats node : nodes) {
      for (DatasetStats dataset : node.datasets()) {
        for (PartitionStats partition : dataset.partitions()) {
          for (IndexStats index : partition.indexes()) {
            sizes.merge(
                List.of(dataset.name(), index.name()), of(dataset.name(), index), IndexSize::plus);
          }
        }
      }
    }
    return List.copyOf(sizes.values());
  }

  private static IndexSize of(String dataset, IndexStats index) {
    long entries = 0;
    long bytes = 0;
    for (ComponentStats component : index.components()) {
      entries += component.entries();
      bytes += component.bytes();
    }
    return new IndexSize(
        dataset,
        index.name(),
        index.kind(),
        index.components().size(),
        entries,
        index.obsoleteEntries(),
        bytes);
  }

  private IndexSize plus(IndexSize other) {
    return new IndexSize(
        dataset,
        index,
        kind,
        components + other.components,
        entries + other.entries,
        obsolete + other.obsolete,
        bytes + other.bytes);
  }

  /** A table with a row for each. */
  static Table table(List<IndexSize> sizes) {
    Table table =
        new Table("dataset", "index", "kind", "components", "entries", "obsolete", "bytes");
    for (IndexSize size : sizes) {
      table.row(
          size.dataset,
          size.index,
          size.kind,
          Figures.count(size.components),
          Figures.count(size.entries),
          Figures.count(size.obsolete),
          Figures.bytes(size.bytes));
    }
    return table;
  }

  /** All of them as one, without a name. */
  static IndexSize sum(List<IndexSize> sizes) {
    IndexSize sum = new IndexSize("", "", "", 0, 0, 0, 0);
    for (IndexSize size : sizes) {
      sum = sum.plus(size);
    }
    return sum;
  }
}
