package dev.varve.cli.command;

import dev.varve.common.env.FileCopy;
import dev.varve.common.env.FileSystem;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.BackupReport;
import dev.varve.dataset.CheckpointReport;
import dev.varve.dataset.EngineInspection;
import dev.varve.dataset.RunningEngine;
import dev.varve.hyracks.node.Cluster;
import dev.varve.hyracks.node.ClusterShape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A copy of a directory: of the one engine of a program, or of a cluster with all of its nodes. It
 * is made beside its place and renamed into it, so that it is there whole or not at all. No byte of
 * the store changes.
 *
 * @param files where both are
 * @param source what is copied
 * @param target what is made; absent or empty before
 */
record DirectoryCopy(FileSystem files, Path source, Path target) {
  private static final List<String> DOCUMENTS_OF_NODE = List.of("node.json", "resources.json");
  private static final String DOCUMENT = "cluster.json";

  /** Copies one engine. */
  @FunctionalInterface
  private interface EngineCopy {
    BackupReport copy(Path from, Path to, Path name) throws StorageException;
  }

  /** With hard links to components where there can be some. */
  BackupReport link() throws StorageException {
    return make(
        (from, to, name) -> {
          CheckpointReport taken = EngineInspection.checkpoint(files, from, to);
          return new BackupReport(taken.components(), taken.componentBytes(), 0, 0);
        });
  }

  /**
   * Sharing nothing with the source.
   *
   * @param earlier an earlier copy, of which components are linked; null for none
   */
  BackupReport copy(@Nullable Path earlier) throws StorageException {
    return make(
        (from, to, name) ->
            EngineInspection.backup(
                files, from, to, earlier == null ? null : earlier.resolve(name)));
  }

  private BackupReport make(EngineCopy engineCopy) throws StorageException {
    List<Path> engines = engines();
    Path building = target.resolveSibling(target.getFileName() + ".building");
    requireFree(target, "a copy goes into a new directory");
    requireFree(building, "it may be of a copy that was killed: delete it if it is");
    files.createDirectories(building);
    BackupReport report = new BackupReport(0, 0, 0, 0);
    for (Path engine : engines) {
      Path into = building.resolve(engine);
      files.createDirectories(into);
      report = report.plus(copy(engineCopy, engine, into));
    }
    copyDocuments(building);
    files.forceDirectory(building);
    files.rename(building, target);
    Path parent = target.toAbsolutePath().getParent();
    if (parent != null) {
      files.forceDirectory(parent);
    }
    return report;
  }

  /** A copy of an engine at rest, or of a checkpoint that the process takes that runs it. */
  private BackupReport copy(EngineCopy engineCopy, Path engine, Path into) throws StorageException {
    Path directory = source.resolve(engine);
    try {
      return engineCopy.copy(directory, into, engine);
    } catch (ConflictException running) {
      try (RunningEngine look = RestingEngines.look(files, directory, running)) {
        return engineCopy.copy(look.look(), into, engine);
      }
    }
  }

  private void requireFree(Path path, String why) throws StorageException {
    if (files.exists(path) && !(files.isDirectory(path) && files.list(path).isEmpty())) {
      throw new ConflictException(
          ConflictException.Reason.FOREIGN_FILES, path + " is not empty; " + why);
    }
  }

  /** Where the engines are, below the directory. */
  private List<Path> engines() throws StorageException {
    ClusterShape shape = Cluster.shapeOf(source).orElse(null);
    List<Path> engines = new ArrayList<>();
    if (shape != null) {
      for (int node = 0; node < ClusterShape.MAX_NODES; node++) {
        Path engine = Cluster.engineDirectory(source, node);
        if (EngineInspection.holdsEngine(files, engine)) {
          engines.add(source.relativize(engine));
        } else if (node < shape.nodes()) {
          throw new RequestException(
              RequestException.Reason.UNKNOWN_DATASET,
              engine + " holds no engine, but the cluster has " + shape.nodes() + " nodes");
        }
      }
    } else if (EngineInspection.holdsEngine(files, source)) {
      engines.add(Path.of(""));
    } else {
      throw new RequestException(
          RequestException.Reason.UNKNOWN_DATASET,
          "%s holds neither a cluster nor an engine, but %s"
              .formatted(source, Cluster.describe(source)));
    }
    return engines;
  }

  /** Of a cluster: which nodes there are, and what each is. */
  private void copyDocuments(Path building) throws StorageException {
    for (Path node : files.list(building)) {
      if (files.isDirectory(node)) {
        for (String name : DOCUMENTS_OF_NODE) {
          Path into = node.resolve(name);
          copyIfThere(source.resolve(building.relativize(into)), into);
        }
        files.forceDirectory(node);
      }
    }
    copyIfThere(source.resolve(DOCUMENT), building.resolve(DOCUMENT));
  }

  private void copyIfThere(Path from, Path into) throws StorageException {
    if (files.exists(from)) {
      int checksum = new FileCopy(files, from, into).run();
      assert files.size(from) == files.size(into) : checksum;
    }
  }
}
