package dev.varve.cli.command;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.SystemClock;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.engine.EngineInspection;
import dev.varve.dataset.engine.EngineSeams;
import dev.varve.dataset.engine.ProcessLimits;
import dev.varve.dataset.engine.StorageEngine;
import dev.varve.dataset.record.ClusterPlace;
import dev.varve.hyracks.node.Cluster;
import dev.varve.hyracks.node.ClusterShape;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;

/**
 * The engines of a directory at rest, opened without a cluster around them: those of a cluster's
 * nodes, or the one of a program that embeds it. Confined to the main thread.
 */
final class RestingEngines implements AutoCloseable {
  /** An engine that is to be opened. */
  private record Resting(Path directory, ClusterPlace place) {}

  private final FileSystem files;
  private final List<Resting> found = new ArrayList<>();
  private final List<StorageEngine> engines = new ArrayList<>();

  private RestingEngines(FileSystem files) {
    this.files = files;
  }

  /**
   * Opens all engines of a directory: of a cluster the nodes that its document says, and those that
   * are outside of it.
   *
   * @throws RequestException with {@code UNKNOWN_DATASET} when there is none, or a node lacks its
   *     engine
   */
  @MustBeClosed
  static RestingEngines open(FileSystem files, Path directory) throws StorageException {
    ClusterShape shape = Cluster.shapeOf(directory).orElse(null);
    RestingEngines opened = new RestingEngines(files);
    try {
      if (shape != null) {
        for (int node = 0; node < shape.nodes(); node++) {
          Path engine = Cluster.engineDirectory(directory, node);
          if (!EngineInspection.holdsEngine(files, engine)) {
            throw new RequestException(
                RequestException.Reason.UNKNOWN_DATASET,
                engine + " holds no engine, but the cluster has " + shape.nodes() + " nodes");
          }
          opened.found.add(new Resting(engine, new ClusterPlace(node, shape.nodes())));
        }
        opened.findOutside(directory, shape);
      } else if (EngineInspection.holdsEngine(files, directory)) {
        opened.found.add(new Resting(directory, ClusterPlace.ALONE));
      } else {
        throw new RequestException(
            RequestException.Reason.UNKNOWN_DATASET,
            directory + " holds neither a cluster nor an engine");
      }
      opened.openAll();
      return opened;
    } catch (StorageException | RuntimeException failure) {
      opened.closeAfter(failure);
      throw failure;
    }
  }

  /** Opens the engines of nodes that are there, but that the cluster does not have. */
  @MustBeClosed
  static RestingEngines outside(FileSystem files, Path directory, ClusterShape shape)
      throws StorageException {
    RestingEngines opened = new RestingEngines(files);
    try {
      opened.findOutside(directory, shape);
      opened.openAll();
      return opened;
    } catch (StorageException | RuntimeException failure) {
      opened.closeAfter(failure);
      throw failure;
    }
  }

  private void findOutside(Path directory, ClusterShape shape) throws StorageException {
    for (int node = shape.nodes(); node < ClusterShape.MAX_NODES; node++) {
      Path engine = Cluster.engineDirectory(directory, node);
      if (EngineInspection.holdsEngine(files, engine)) {
        found.add(new Resting(engine, new ClusterPlace(node, shape.nodes())));
      }
    }
  }

  /** Each gets an equal part of what the process has. */
  @SuppressWarnings("MustBeClosedChecker") // closed with this
  private void openAll() throws StorageException {
    ProcessLimits limits = ProcessLimits.ofProcess().dividedBy(Math.max(1, found.size()));
    for (Resting each : found) {
      EngineSeams seams =
          new EngineSeams(files, new SystemClock(), new ThreadTaskExecutor(), new SecureRandom());
      engines.add(
          StorageEngine.open(
              EngineInspection.widestOptions(files, each.directory).place(each.place).build(),
              seams.withLimits(limits)));
    }
  }

  List<StorageEngine> engines() {
    return List.copyOf(engines);
  }

  private void closeAfter(Exception failure) {
    try {
      close();
    } catch (StorageException second) {
      failure.addSuppressed(second);
    }
  }

  /** Closes all of them, whichever fails; idempotent. */
  @Override
  public void close() throws StorageException {
    if (engines.isEmpty()) {
      return;
    }
    try {
      engines.remove(engines.size() - 1).close();
    } finally {
      close();
    }
  }
}
