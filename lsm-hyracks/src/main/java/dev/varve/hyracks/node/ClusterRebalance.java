package dev.varve.hyracks.node;

import dev.varve.btree.KeyRange;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.Dataset;
import dev.varve.dataset.EngineSeams;
import dev.varve.dataset.NodeGroup;
import dev.varve.dataset.RepairReport;
import dev.varve.dataset.StorageEngine;
import dev.varve.hyracks.adapter.NodeStorage;
import dev.varve.hyracks.feed.FeedLedger;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Gives a cluster at rest more nodes, and each record to the node that its key belongs to then.
 * Used once, by one thread.
 *
 * <p>Implementation note. {@code cluster.json} says durably that it has begun, to how many nodes,
 * and how many records each dataset has; from then on the cluster is started by nobody, and this is
 * called again until it has ended. A record is durable where it belongs, with its entries in all
 * indexes, before it is deleted where it was, so the next call goes on wherever one was killed.
 * Only when every store is verified and has what it had do the documents say the new shape.
 */
final class ClusterRebalance {
  private static final Logger LOGGER = LogManager.getLogger();

  private final ClusterOptions options;
  private final EngineSeams seams;

  /**
   * A rebalancing.
   *
   * @param options of the cluster, with the nodes that it is to have
   */
  ClusterRebalance(ClusterOptions options, EngineSeams seams) {
    this.options = options;
    this.seams = seams;
  }

  /**
   * Does it, or goes on with it.
   *
   * @throws ConflictException with {@code NO_STORE} when no cluster is there, {@code
   *     OPTIONS_MISMATCH} when a rebalancing to another number of nodes has begun, {@code
   *     DIRECTORY_IN_USE} when the cluster runs
   * @throws RequestException with {@code UNSUPPORTED} when the nodes would be fewer, or a store
   *     holds an R-tree of Hyracks' own operators
   * @throws CorruptionException when a store is not clean, or records are lost
   */
  ClusterProcesses.Rebalanced run() throws StorageException {
    ClusterShape target = options.shape();
    ClusterDirectory here = ClusterDirectory.read(seams.files(), options.directory());
    ClusterRecord written = here.required();
    if (written.rebalance().isEmpty()) {
      if (target.nodes() < written.shape().nodes()) {
        throw new RequestException(
            RequestException.Reason.UNSUPPORTED,
            "a cluster of "
                + written.shape().describe()
                + " gets more nodes by this, and not fewer: "
                + target.nodes());
      }
      SortedMap<String, Long> records = check(written.shape());
      if (target.equals(written.shape())) {
        return new ClusterProcesses.Rebalanced(target.nodes(), 0, records);
      }
      here = begin(written.toward(target.nodes(), records));
    }
    return spread(here);
  }

  private ClusterDirectory begin(ClusterRecord begun) throws StorageException {
    begun.write(seams.files(), options.directory());
    return ClusterDirectory.read(seams.files(), options.directory());
  }

  /** Looks at the cluster as it was: only what is clean is moved. */
  private SortedMap<String, Long> check(ClusterShape shape) throws StorageException {
    ClusterOptions before = new ClusterOptions(options.directory(), shape, options.engine());
    return Cluster.withApplications(
        before,
        seams,
        (node, applications) -> {
          List<StorageEngine> engines = engines(Cluster.openStorages(before, node, applications));
          for (StorageEngine engine : engines) {
            requireMovable(engine);
          }
          return verified(engines);
        });
  }

  /**
   * Records of Hyracks' own R-tree operators have keys that were chosen to belong to their node.
   */
  static void requireMovable(StorageEngine engine) throws StorageException {
    for (Dataset dataset : datasets(engine)) {
      if (NodeStorage.isIndexOfHyracks(dataset.name())) {
        throw new RequestException(
            RequestException.Reason.UNSUPPORTED,
            "'%s' on %s was made by Hyracks' own operators, whose records are bound to their node;"
                    .formatted(dataset.name(), engine.place())
                + " drop it before the cluster is rebalanced");
      }
    }
  }

  private ClusterProcesses.Rebalanced spread(ClusterDirectory here) throws StorageException {
    ClusterRecord begun = here.required();
    ClusterRecord.Rebalance rebalance = begun.rebalance().orElseThrow();
    if (rebalance.nodes() != options.shape().nodes()) {
      throw new ConflictException(
          ConflictException.Reason.OPTIONS_MISMATCH,
          "%s is being rebalanced to %d nodes, and not to %d; go on with that first"
              .formatted(options.directory(), rebalance.nodes(), options.shape().nodes()));
    }
    return Cluster.withApplications(
        options, seams, (node, applications) -> spread(here, rebalance, applications));
  }

  private ClusterProcesses.Rebalanced spread(
      ClusterDirectory here, ClusterRecord.Rebalance rebalance, List<NodeApplication> applications)
      throws StorageException {
    Cluster.makeDirectories(seams.files(), options);
    List<NodeStorage> nodes = new ArrayList<>();
    for (int number = 0; number < applications.size(); number++) {
      nodes.add(here.open(number, applications.get(number)));
    }
    List<StorageEngine> engines = engines(nodes);
    for (StorageEngine engine : engines) {
      FeedLedger.forget(engine);
      for (Dataset dataset : datasets(engines.get(0))) {
        Dataset made = engine.openDataset(dataset.options());
        assert made.name().equals(dataset.name());
      }
    }
    RepairReport report =
        new NodeGroup(engines).repair(options.directory().resolve("rebalance-rejects"));
    LOGGER.info("{} records of {} were moved", report.moved(), options.directory());
    if (!report.complete() || report.rejected() > 0) {
      throw damaged(report.problems().isEmpty() ? "records of one key" : report.problems().get(0));
    }
    SortedMap<String, Long> records = verified(engines);
    if (!isKept(rebalance.records(), records, datasets(engines.get(0)))) {
      throw damaged("there were " + rebalance.records() + ", and there are " + records);
    }
    List<Long> stores = engines.stream().map(StorageEngine::storeId).toList();
    here.keep(options.shape(), stores, 0);
    return new ClusterProcesses.Rebalanced(engines.size(), report.moved(), records);
  }

  /** Whether no record was lost; where they have a time to live, some may have ended since. */
  private static boolean isKept(
      SortedMap<String, Long> before, SortedMap<String, Long> now, List<Dataset> datasets) {
    for (Dataset dataset : datasets) {
      long had = before.getOrDefault(dataset.name(), 0L);
      long has = now.getOrDefault(dataset.name(), 0L);
      if (has > had || (has < had && dataset.options().timeToLive().isEmpty())) {
        return false;
      }
    }
    return before.keySet().equals(now.keySet());
  }

  private static List<Dataset> datasets(StorageEngine engine) throws StorageException {
    List<Dataset> datasets = new ArrayList<>();
    for (String name : engine.names()) {
      if (engine.store(name) instanceof Dataset dataset) {
        datasets.add(dataset);
      }
    }
    return datasets;
  }

  private static List<StorageEngine> engines(List<NodeStorage> nodes) {
    return nodes.stream().map(NodeStorage::engine).toList();
  }

  /** Verifies all stores, and counts the records of each dataset. */
  private SortedMap<String, Long> verified(List<StorageEngine> engines) throws StorageException {
    SortedMap<String, Long> records = new TreeMap<>();
    List<String> problems = new ArrayList<>(new NodeGroup(engines).sharedKeys());
    for (StorageEngine engine : engines) {
      problems.addAll(engine.verify().problems());
      for (Dataset dataset : datasets(engine)) {
        records.merge(dataset.name(), dataset.count(KeyRange.all()), Long::sum);
      }
    }
    if (!problems.isEmpty()) {
      throw damaged(problems.get(0));
    }
    return records;
  }

  private CorruptionException damaged(String problem) {
    return new CorruptionException(
        options.directory().toString(), -1, "the cluster is not rebalanced: " + problem);
  }
}
