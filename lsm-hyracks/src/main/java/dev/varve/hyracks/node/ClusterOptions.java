package dev.varve.hyracks.node;

import dev.varve.dataset.options.EngineOptions;
import java.nio.file.Path;

/**
 * Options of an embedded cluster.
 *
 * @param directory where everything is: {@code node-0}, {@code node-1} and so on; behaviour
 * @param shape nodes and partitions; shapes files
 * @param engine options of each node's engine, whose directory is set to the node's own, and so are
 *     those beside it; each of its budgets is for one node
 */
public record ClusterOptions(Path directory, ClusterShape shape, EngineOptions engine) {
  /** Nodes with the engine's default options. */
  public static ClusterOptions of(Path directory, ClusterShape shape) {
    return new ClusterOptions(directory, shape, EngineOptions.of(directory));
  }

  /** The engine options of a node. */
  EngineOptions engineOf(int node) {
    return engine
        .withDirectory(
            Cluster.engineDirectory(directory, node),
            engine.placement().below(EmbeddedCluster.nodeName(node)))
        .withPlace(shape.place(node));
  }
}
