package dev.varve.cli.command;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.KeyDecoder;
import dev.varve.common.bytes.KeyType;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.Dataset;
import dev.varve.dataset.StorageEngine;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.OpeningOptions;
import dev.varve.hyracks.node.Cluster;
import dev.varve.hyracks.node.ClusterOptions;
import dev.varve.hyracks.node.ClusterShape;
import dev.varve.hyracks.node.JobFailedException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** What the commands know of the clusters that they make: the dataset's name, and where it ends. */
final class TweetCluster {
  /** The dataset that an ingest fills and the other commands read. */
  static final String DATASET = "tweets";

  /** The path of its primary key. */
  static final String PRIMARY_KEY = "id";

  private TweetCluster() {}

  /** Engine options that every command starts from. */
  static EngineOptions.Builder engineOptions(Path directory) {
    return EngineOptions.builder(directory);
  }

  /**
   * Starts the cluster that is in a directory.
   *
   * @throws RequestException when there is none
   */
  @MustBeClosed
  static Cluster start(Path directory) throws StorageException, JobFailedException {
    ClusterShape shape = Cluster.shapeOf(directory).orElse(null);
    if (shape == null) {
      throw new RequestException(
          RequestException.Reason.UNKNOWN_DATASET,
          "%s holds no cluster, but %s; 'varve ingest' makes one in an empty directory"
              .formatted(directory, Cluster.describe(directory)));
    }
    return Cluster.start(
        new ClusterOptions(
            directory,
            shape,
            engineOptions(directory).opening(OpeningOptions.DEFAULTS.withMustExist()).build()));
  }

  /** Whether the nodes hold the dataset. */
  static boolean holdsTweets(Cluster cluster) throws StorageException, JobFailedException {
    return cluster.holds(DATASET);
  }

  /** The dataset on each node. */
  static List<Dataset> datasets(Cluster cluster) throws StorageException {
    List<Dataset> datasets = new ArrayList<>();
    for (StorageEngine engine : cluster.engines()) {
      datasets.add(engine.dataset(DATASET));
    }
    return datasets;
  }

  /** The highest primary key, if that is a whole number; empty when there is none. */
  static OptionalLong highestId(Cluster cluster) throws StorageException, JobFailedException {
    Optional<Key> highest = cluster.highestKey(DATASET);
    if (highest.isPresent()) {
      // Keys of other types order above or below the numbers; tweets have none of those.
      KeyDecoder decoder = new KeyDecoder().reset(highest.get().toSlice());
      if (decoder.type() == KeyType.NUMBER && decoder.isLong()) {
        return OptionalLong.of(decoder.readLong());
      }
    }
    return OptionalLong.empty();
  }
}
