package dev.varve.hyracks.node;

import dev.varve.common.error.ConflictException;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.Dataset;
import dev.varve.dataset.EngineSeams;
import dev.varve.dataset.NodeGroup;
import dev.varve.dataset.StorageEngine;
import dev.varve.dataset.model.PartitionTable;
import dev.varve.hyracks.adapter.NodeStorage;
import dev.varve.hyracks.feed.FeedLedger;
import dev.varve.hyracks.node.ClusterRecord.Rebalance;
import dev.varve.hyracks.node.ClusterRecord.Step;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Gives a cluster at rest more nodes, and each of them its part of the partitions. Used once, by
 * one thread.
 *
 * <p>Implementation note. {@code cluster.json} says durably what moves where and how far it is;
 * from the beginning to the end the cluster is started by nobody, and this is called again until it
 * has ended. First the new nodes' stores are made, with the datasets and the positions of feeds,
 * and all stores closed in order. Then the components of each partition are copied, and the copies
 * verified, while the partitions count where they were. Then the document says that the copies
 * count, what was copied is deleted where it was, and the nodes' documents and the cluster's say
 * the new shape.
 */
final class ClusterRebalance {
  private static final Logger LOGGER = LogManager.getLogger();

  private final ClusterOptions options;
  private final EngineSeams seams;
  private final int nodes;

  /**
   * A rebalancing.
   *
   * @param options of the cluster as it is
   * @param nodes how many it is to have
   */
  ClusterRebalance(ClusterOptions options, EngineSeams seams, int nodes) {
    this.options = options;
    this.seams = seams;
    this.nodes = nodes;
  }

  /**
   * Does it, or goes on with it; with the number of nodes that there are, takes it back if no copy
   * counts yet.
   *
   * @throws ConflictException with {@code NO_STORE} when no cluster is there, {@code
   *     OPTIONS_MISMATCH} when a rebalancing to another number of nodes has begun, {@code
   *     DIRECTORY_IN_USE} when the cluster runs
   * @throws RequestException with {@code UNSUPPORTED} when the nodes would be fewer, or more than
   *     there are partitions, or a store holds an R-tree of Hyracks' own operators, or an index is
   *     being built
   * @throws CorruptionException when something that moves is damaged
   */
  ClusterProcesses.Rebalanced run() throws StorageException {
    ClusterDirectory here = ClusterDirectory.read(seams.files(), options.directory());
    ClusterRecord written = here.required();
    Rebalance begun = written.rebalance().orElse(null);
    if (begun == null) {
      if (nodes == written.shape().nodes()) {
        return new ClusterProcesses.Rebalanced(nodes, 0, 0, 0);
      }
      ClusterShape target = target(written.shape());
      withEngines(here, options, written.shape().nodes(), ClusterRebalance::requireMovable);
      begun = new Rebalance(target, Step.COPY, new TreeSet<>());
      written.with(begun).write(seams.files(), options.directory());
    } else if (begun.step() == Step.COPY && nodes == written.shape().nodes()) {
      return takeBack(here, begun);
    } else if (nodes != begun.target().nodes()) {
      throw new ConflictException(
          ConflictException.Reason.OPTIONS_MISMATCH,
          "%s is being rebalanced to %d nodes, and not to %d; go on with that first"
              .formatted(options.directory(), begun.target().nodes(), nodes));
    }
    return goOn(ClusterDirectory.read(seams.files(), options.directory()), begun);
  }

  /** Takes back what has begun and counts nowhere yet: the new nodes' stores are left empty. */
  private ClusterProcesses.Rebalanced takeBack(ClusterDirectory here, Rebalance begun)
      throws StorageException {
    ClusterRecord written = here.required();
    // Whoever goes on with it after all must not take what is deleted now for copied.
    Rebalance uncopied = new Rebalance(begun.target(), Step.COPY, new TreeSet<>());
    written.with(uncopied).write(seams.files(), options.directory());
    PartitionTable before = written.shape().table();
    emptyPartial(here, uncopied, moving(before, begun.target().table()));
    ClusterOptions shaped =
        new ClusterOptions(options.directory(), begun.target(), options.engine());
    Cluster.makeDirectories(seams.files(), shaped);
    withEngines(
        here,
        shaped,
        begun.target().nodes(),
        engines -> {
          for (StorageEngine made : engines.subList(before.nodes(), engines.size())) {
            for (String name : made.names()) {
              made.drop(name);
            }
          }
        });
    new ClusterRecord(written.shape(), written.cluster(), written.stores())
        .write(seams.files(), options.directory());
    LOGGER.info("the rebalancing of {} was taken back", options.directory());
    return new ClusterProcesses.Rebalanced(nodes, 0, 0, 0);
  }

  private static Set<Integer> moving(PartitionTable before, PartitionTable after) {
    Set<Integer> moving = new TreeSet<>();
    for (int partition = 0; partition < before.partitions(); partition++) {
      if (!before.homes().get(partition).equals(after.homes().get(partition))) {
        moving.add(partition);
      }
    }
    return moving;
  }

  private ClusterShape target(ClusterShape shape) throws RequestException {
    if (nodes < shape.nodes() || nodes > shape.table().partitions()) {
      throw new RequestException(
          RequestException.Reason.UNSUPPORTED,
          ("a cluster of %s gets more nodes by this, up to one for each of its %d partitions, and"
                  + " not %d; 'export' and 'import' put its records into a cluster of any shape")
              .formatted(shape.describe(), shape.table().partitions(), nodes));
    }
    return new ClusterShape(shape.table().spread(nodes));
  }

  /** What is done with engines, in the order of the nodes. */
  @FunctionalInterface
  private interface EngineUse {
    void of(List<StorageEngine> engines) throws StorageException;
  }

  /**
   * Opens the engines of the first nodes, which recovers them, makes those that are not there, and
   * closes them in order.
   */
  private void withEngines(ClusterDirectory here, ClusterOptions shaped, int count, EngineUse use)
      throws StorageException {
    int opened =
        Cluster.withApplications(
            shaped,
            seams,
            (node, applications) -> {
              List<StorageEngine> engines = new ArrayList<>();
              for (int number = 0; number < count; number++) {
                engines.add(here.open(number, applications.get(number)).engine());
              }
              use.of(engines);
              return engines.size();
            });
    assert opened == count : opened;
  }

  /** Records of Hyracks' own R-tree operators have keys that were chosen to be of their node. */
  static void requireMovable(List<StorageEngine> engines) throws StorageException {
    for (StorageEngine engine : engines) {
      for (Dataset dataset : datasets(engine)) {
        if (NodeStorage.isIndexOfHyracks(dataset.name())) {
          throw new RequestException(
              RequestException.Reason.UNSUPPORTED,
              "'%s' on %s was made by Hyracks' own operators, whose records are bound to their"
                      .formatted(dataset.name(), engine.place())
                  + " node; drop it before the cluster is rebalanced");
        }
      }
    }
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

  private ClusterProcesses.Rebalanced goOn(ClusterDirectory here, Rebalance begun)
      throws StorageException {
    ClusterOptions shaped =
        new ClusterOptions(options.directory(), begun.target(), options.engine());
    PartitionTable before = here.required().shape().table();
    PartitionTable after = begun.target().table();
    Set<Integer> moving = moving(before, after);
    NodeGroup.CopiedFiles copied = new NodeGroup.CopiedFiles(0, 0);
    if (begun.step() == Step.COPY) {
      emptyPartial(here, begun, moving);
      Cluster.makeDirectories(seams.files(), shaped);
      withEngines(here, shaped, nodes, engines -> makeStores(engines, before, after, moving));
      copied = copy(here.required(), begun, moving);
      verify(here, shaped);
      begun = begun.owned();
      here.required().with(begun).write(seams.files(), options.directory());
    }
    for (int partition : moving) {
      NodeGroup.emptyPartition(seams, home(before, partition));
    }
    withEngines(here, shaped, nodes, engines -> end(here, engines, moving, before));
    LOGGER.info("{} partitions of {} were moved", moving.size(), options.directory());
    return new ClusterProcesses.Rebalanced(
        nodes, moving.size(), copied.components(), copied.bytes());
  }

  /** Takes away what a copy that was cut short has left: an engine would refuse it. */
  private void emptyPartial(ClusterDirectory here, Rebalance begun, Set<Integer> moving)
      throws StorageException {
    for (int partition : moving) {
      if (!begun.copied().contains(partition)
          && here.hasStore(begun.target().table().nodeOf(partition))) {
        NodeGroup.emptyPartial(seams, home(begun.target().table(), partition));
      }
    }
  }

  private NodeGroup.PartitionHome home(PartitionTable table, int partition) {
    Path engine = Cluster.engineDirectory(options.directory(), table.nodeOf(partition));
    return new NodeGroup.PartitionHome(engine, table.localOf(partition));
  }

  /** Makes the new nodes' datasets, and gives them the positions of feeds that move. */
  private static void makeStores(
      List<StorageEngine> engines, PartitionTable before, PartitionTable after, Set<Integer> moving)
      throws StorageException {
    for (StorageEngine made : engines.subList(before.nodes(), engines.size())) {
      for (Dataset dataset : datasets(engines.get(0))) {
        Dataset same = made.openDataset(dataset.options());
        assert same.name().equals(dataset.name());
      }
    }
    for (int partition : moving) {
      FeedLedger.copy(
          engines.get(before.nodeOf(partition)), engines.get(after.nodeOf(partition)), partition);
    }
  }

  /** Copies what is not copied yet. */
  private NodeGroup.CopiedFiles copy(ClusterRecord written, Rebalance begun, Set<Integer> moving)
      throws StorageException {
    NodeGroup.CopiedFiles all = new NodeGroup.CopiedFiles(0, 0);
    Rebalance far = begun;
    for (int partition : moving) {
      if (!far.copied().contains(partition)) {
        all =
            all.plus(
                NodeGroup.copyPartition(
                    seams,
                    home(written.shape().table(), partition),
                    home(begun.target().table(), partition)));
        far = far.withCopied(partition);
        written.with(far).write(seams.files(), options.directory());
      }
    }
    return all;
  }

  /** Verifies the new nodes, which hold what was copied and nothing else. */
  private void verify(ClusterDirectory here, ClusterOptions shaped) throws StorageException {
    int first = here.required().shape().nodes();
    int verified =
        Cluster.withApplications(
            shaped,
            seams,
            (node, applications) -> {
              for (int number = first; number < nodes; number++) {
                List<String> problems =
                    here.open(number, applications.get(number)).engine().verify().problems();
                if (!problems.isEmpty()) {
                  throw new CorruptionException(
                      options.directory().toString(),
                      -1,
                      "the cluster is not rebalanced: " + problems.get(0));
                }
              }
              return nodes - first;
            });
    assert verified > 0 : verified;
  }

  private void end(
      ClusterDirectory here, List<StorageEngine> engines, Set<Integer> moved, PartitionTable before)
      throws StorageException {
    for (int partition : moved) {
      FeedLedger.forget(engines.get(before.nodeOf(partition)), partition);
    }
    ClusterShape shape = here.required().target().orElseThrow();
    here.keep(shape, engines.stream().map(StorageEngine::storeId).toList(), 0);
  }
}
