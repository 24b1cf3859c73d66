package dev.varve.cli.command;

import dev.varve.common.component.ComponentStats;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.catalog.IndexDefinition;
import dev.varve.dataset.engine.DatasetStats;
import dev.varve.dataset.engine.StorageEngine;
import dev.varve.dataset.kind.BTreeKind;
import dev.varve.dataset.partition.IndexStats;
import dev.varve.dataset.partition.PartitionStats;
import dev.varve.hyracks.node.Cluster;
import dev.varve.hyracks.node.JobFailedException;
import dev.varve.hyracks.operator.IndexSummary;
import dev.varve.report.Figures;
import dev.varve.report.Table;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one index of the tweets holds on disk, on all partitions of all nodes.
 *
 * @param index {@code primary}, or the secondary's name
 * @param kind what it is: {@code btree}, {@code rtree} and so on
 * @param components disk components
 * @param entries entries in them, antimatter included
 * @param bytes bytes of their files
 */
record IndexSize(String index, String kind, long components, long entries, long bytes) {
  /** The indexes of the dataset where it is active, the primary first. */
  static List<IndexSize> of(Cluster cluster) throws StorageException, JobFailedException {
    if (cluster.isEmbedded()) {
      return of(cluster.engines());
    }
    if (!TweetCluster.holdsTweets(cluster)) {
      return List.of();
    }
    Map<String, String> kinds = new HashMap<>();
    for (IndexDefinition index : cluster.describe(TweetCluster.DATASET).indexes()) {
      kinds.put(index.name(), index.kind().name());
    }
    Map<String, IndexSize> sizes = new LinkedHashMap<>();
    for (IndexSummary index : cluster.statistics(TweetCluster.DATASET)) {
      String kind = kinds.getOrDefault(index.index(), new BTreeKind().name());
      IndexSize size =
          new IndexSize(
              index.index(), kind, index.components(), index.diskEntries(), index.diskBytes());
      sizes.merge(index.index(), size, IndexSize::plus);
    }
    return List.copyOf(sizes.values());
  }

  /** The same for engines without their cluster. */
  static List<IndexSize> of(List<StorageEngine> engines) throws StorageException {
    Map<String, IndexSize> sizes = new LinkedHashMap<>();
    for (StorageEngine engine : engines) {
      for (DatasetStats dataset : engine.stats().datasets()) {
        if (dataset.name().equals(TweetCluster.DATASET)) {
          for (PartitionStats partition : dataset.partitions()) {
            for (IndexStats index : partition.indexes()) {
              sizes.merge(index.name(), of(index), IndexSize::plus);
            }
          }
        }
      }
    }
    return List.copyOf(sizes.values());
  }

  private static IndexSize of(IndexStats index) {
    long entries = 0;
    long bytes = 0;
    for (ComponentStats component : index.components()) {
      entries += component.entries();
      bytes += component.bytes();
    }
    return new IndexSize(index.name(), index.kind(), index.components().size(), entries, bytes);
  }

  private IndexSize plus(IndexSize other) {
    return new IndexSize(
        index, kind, components + other.components, entries + other.entries, bytes + other.bytes);
  }

  /** A table with a row for each. */
  static Table table(List<IndexSize> sizes) {
    Table table = new Table("index", "kind", "components", "entries", "bytes");
    for (IndexSize size : sizes) {
      table.row(
          size.index,
          size.kind,
          Figures.count(size.components),
          Figures.count(size.entries),
          Figures.bytes(size.bytes));
    }
    return table;
  }

  /** All of them as one, without a name. */
  static IndexSize sum(List<IndexSize> sizes) {
    IndexSize sum = new IndexSize("", "", 0, 0, 0);
    for (IndexSize size : sizes) {
      sum = sum.plus(size);
    }
    return sum;
  }
}
