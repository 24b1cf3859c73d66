package dev.varve.cli.command;

import dev.varve.common.component.ComponentStats;
import dev.varve.common.merge.MergePolicy;
import dev.varve.dataset.DatasetStats;
import dev.varve.dataset.EngineStats;
import dev.varve.dataset.model.IndexStats;
import dev.varve.dataset.model.LargeValueStats;
import dev.varve.dataset.model.PartitionStats;
import dev.varve.hyracks.node.IngestSummary;
import dev.varve.report.Console;
import dev.varve.report.Figures;
import dev.varve.report.Table;
import dev.varve.scheduler.tuner.IndexFlow;
import dev.varve.scheduler.tuner.TunerChange;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a cluster or an engine holds: printed as tables, or as JSON with these names.
 *
 * @param command {@code stats}
 * @param directory where
 * @param indexes the indexes of all datasets, on all nodes together
 * @param nodes its nodes
 * @param feeds the feeds that run in a cluster whose nodes are processes of their own
 */
record StatsResult(
    String command, String directory, List<IndexSize> indexes, List<Node> nodes, List<Feed> feeds) {
  /**
   * A feed.
   *
   * @param stored how many of its records are durable
   * @param refused how many were left out
   * @param spilled how many have waited in files
   * @param discarded how many were left out because there was no room
   */
  record Feed(long stored, long refused, long spilled, long discarded) {
    static Feed of(IngestSummary feed) {
      return new Feed(
          feed.stored(), feed.refused(), feed.overflow().spilled(), feed.overflow().discarded());
    }
  }

  /**
   * A node.
   *
   * @param node its number
   * @param engine what its engine holds
   */
  record Node(int node, EngineStats engine) {}

  void print(Console console) {
    Table places =
        new Table(
            "node",
            "dataset",
            "partition",
            "index",
            "components",
            "entries",
            "antimatter",
            "bytes",
            "memory",
            "index LSN");
    Table components =
        new Table(
            "node",
            "dataset",
            "partition",
            "index",
            "component",
            "level",
            "entries",
            "antimatter",
            "bytes",
            "component LSN",
            "filter field");
    Table logs = new Table("node", "low water", "end", "durable", "bytes", "segments");
    Table memory = new Table("node", "dataset", "active", "used", "budget", "cache");
    for (Node node : nodes) {
      String name = Integer.toString(node.node);
      EngineStats.LogSummary log = node.engine.log();
      logs.row(
          name,
          Long.toString(log.lowWaterMark()),
          Long.toString(log.endLsn()),
          Long.toString(log.durableLsn()),
          Figures.bytes(log.endLsn() - log.lowWaterMark()),
          Integer.toString(log.segments()));
      for (DatasetStats dataset : node.engine.datasets()) {
        memory.row(
            name,
            dataset.name(),
            dataset.active() ? "yes" : "no",
            Figures.bytes(dataset.memoryUsedBytes()),
            Figures.bytes(dataset.memoryBudgetBytes()),
            Figures.bytes(node.engine.cache().residentBytes()));
        for (PartitionStats partition : dataset.partitions()) {
          for (IndexStats index : partition.indexes()) {
            Place place =
                new Place(
                    name, dataset.name(), Integer.toString(partition.partition()), index.name());
            addIndex(places, place, index);
            addComponents(components, place, index);
          }
        }
      }
    }
    section(console, "Indexes", IndexSize.table(indexes));
    printFeeds(console);
    section(console, "Indexes by partition", places);
    section(console, "Components, oldest first", components);
    printValues(console);
    printFlow(console);
    section(console, "Log", logs);
    section(console, "Memory", memory);
  }

  private void printFeeds(Console console) {
    if (!feeds.isEmpty()) {
      Table running = new Table("stored", "refused", "spilled", "discarded");
      for (Feed feed : feeds) {
        running.row(
            Figures.count(feed.stored),
            Figures.count(feed.refused),
            Figures.count(feed.spilled),
            Figures.count(feed.discarded));
      }
      section(console, "Feeds that run", running);
    }
  }

  /** Says nothing where no store keeps values apart. */
  private void printValues(Console console) {
    Table table =
        new Table(
            "node",
            "dataset",
            "partition",
            "files",
            "bytes",
            "live",
            "dead",
            "as of",
            "for snapshots",
            "written again",
            "deleted",
            "giving space back");
    for (Node node : nodes) {
      for (DatasetStats dataset : node.engine.datasets()) {
        for (PartitionStats partition : dataset.partitions()) {
          LargeValueStats values = partition.values();
          if (values != null) {
            String number = Integer.toString(partition.partition());
            addValues(
                table, new Place(Integer.toString(node.node), dataset.name(), number, ""), values);
          }
        }
      }
    }
    if (table.size() > 0) {
      section(console, "Large values, live and dead as of the last look at all keys", table);
    }
  }

  private static void addValues(Table table, Place place, LargeValueStats values) {
    boolean known = values.lookSeconds() >= 0;
    table.row(
        place.node,
        place.dataset,
        place.partition,
        Integer.toString(values.files()),
        Figures.bytes(values.bytes()),
        known ? Figures.bytes(values.liveBytes()) : "",
        known ? Figures.bytes(values.deadBytes()) : "",
        known ? Figures.seconds(values.lookSeconds()) + " ago" : "never",
        Figures.bytes(values.keptBytes()),
        Figures.bytes(values.rewrittenBytes()),
        Figures.bytes(values.deletedBytes()),
        values.activity() + (values.failure().isEmpty() ? "" : "; failed: " + values.failure()));
  }

  private void printFlow(Console console) {
    Table flows =
        new Table(
            "node",
            "index",
            "level 0",
            "limit",
            "for merges",
            "obsolete at most",
            "bytes",
            "seal to flushed");
    Table tuners =
        new Table("node", "tuner", "in force", "changes", "seal to flushed", "last reason");
    for (Node node : nodes) {
      addFlow(flows, tuners, Integer.toString(node.node), node.engine.flow());
    }
    section(console, "Waiting for merges", flows);
    section(console, "Tuner", tuners);
  }

  private static void addFlow(
      Table flows, Table tuners, String node, EngineStats.FlowSummary flow) {
    for (IndexFlow index : flow.indexes()) {
      int limit = index.level0Limit();
      flows.row(
          node,
          index.name(),
          Integer.toString(index.level0Components()),
          limit == MergePolicy.UNLIMITED ? "" : Integer.toString(limit),
          Figures.bytes(index.pendingBytes()),
          Figures.bytes(index.obsoleteBytes()),
          Figures.bytes(index.bytes()),
          flow.flushTimes().stream()
              .filter(time -> time.index().equals(index.name()))
              .map(time -> Figures.seconds(time.sealToFlushedSeconds()))
              .collect(Collectors.joining()));
    }
    List<TunerChange> changes = flow.tuner().recent();
    tuners.row(
        node,
        flow.tuner().tuner(),
        flow.setting().toString(),
        Long.toString(flow.tuner().changes()),
        Figures.seconds(flow.sealToFlushedSeconds()),
        changes.isEmpty() ? "" : changes.get(changes.size() - 1).reason());
  }

  /** Where an index is. */
  private record Place(String node, String dataset, String partition, String index) {}

  private static void addIndex(Table table, Place place, IndexStats index) {
    long entries = 0;
    long antimatter = 0;
    long bytes = 0;
    for (ComponentStats component : index.components()) {
      entries += component.entries();
      antimatter += component.antimatter();
      bytes += component.bytes();
    }
    table.row(
        place.node,
        place.dataset,
        place.partition,
        place.index,
        Integer.toString(index.components().size()),
        Figures.count(entries),
        Figures.count(antimatter),
        Figures.bytes(bytes),
        Figures.bytes(index.memoryBytes()),
        Long.toString(index.indexLsn()));
  }

  private static void addComponents(Table table, Place place, IndexStats index) {
    int level = index.levels().size() - 1;
    int left = index.levels().get(level);
    for (int i = 0; i < index.components().size(); i++) {
      ComponentStats component = index.components().get(i);
      while (left == 0) {
        level--;
        left = index.levels().get(level);
      }
      left--;
      table.row(
          place.node,
          place.dataset,
          place.partition,
          place.index,
          component.id().toString(),
          Integer.toString(level),
          Figures.count(component.entries()),
          Figures.count(component.antimatter()),
          Figures.bytes(component.bytes()),
          Long.toString(component.componentLsn()),
          index.values().get(i).toString());
    }
  }

  private static void section(Console console, String heading, Table table) {
    console.printLine(heading);
    if (table.size() == 0) {
      console.printLine("  none");
    } else {
      table.print(console);
    }
    console.printLine("");
  }
}
