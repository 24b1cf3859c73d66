package dev.varve.cli.command;

import dev.varve.common.env.FileSystem;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.EngineInspection;
import dev.varve.hyracks.node.Cluster;
import dev.varve.hyracks.node.ClusterShape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Where the engines of a directory are, which nobody opens to be told. No state. */
final class EngineDirectories {
  private EngineDirectories() {}

  /**
   * The engines of a cluster in the order of its nodes, or the one engine of a program that embeds
   * it.
   *
   * @throws RequestException with {@code UNKNOWN_DATASET} when there is neither
   */
  static List<Path> of(FileSystem files, Path directory) throws StorageException {
    Optional<ClusterShape> shape = Cluster.shapeOf(directory);
    List<Path> engines = new ArrayList<>();
    for (int node = 0; node < shape.map(ClusterShape::nodes).orElse(0); node++) {
      engines.add(Cluster.engineDirectory(directory, node));
    }
    if (shape.isEmpty() && EngineInspection.holdsEngine(files, directory)) {
      engines.add(directory);
    }
    if (engines.isEmpty()) {
      throw new RequestException(
          RequestException.Reason.UNKNOWN_DATASET,
          directory + " holds neither a cluster nor an engine");
    }
    return engines;
  }
}
