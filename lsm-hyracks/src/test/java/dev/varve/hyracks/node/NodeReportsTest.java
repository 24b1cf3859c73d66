package dev.varve.hyracks.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.error.StorageException;
import dev.varve.dataset.Dataset;
import dev.varve.dataset.DatasetStats;
import dev.varve.dataset.EngineStats;
import dev.varve.dataset.StorageEngine;
import dev.varve.dataset.model.FieldPath;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.hyracks.feed.TestRecords;
import dev.varve.hyracks.operator.WriteMode;
import java.nio.file.Path;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: the client of a cluster is told of each node what its engine holds, and what is waited for
 * in it. Method: a slow device, and the engines themselves beside what the nodes tell of them.
 */
final class NodeReportsTest {
  private static final String DATASET = "records";

  @TempDir private Path directory;

  @Test
  void eachNodeTellsWhatItsEngineHoldsAndWhatItWaitsFor() throws Exception {
    EngineOptions slow = EngineOptions.builder(directory).ioBytesPerSecond(200_000).build();
    ClusterOptions options = new ClusterOptions(directory, new ClusterShape(2, 2), slow);
    try (Cluster cluster = Cluster.start(options)) {
      cluster.createOrOpenDataset(
          DatasetOptions.of(DATASET, "id")
              .withIndexes(List.of(IndexDefinition.on("name"), IndexDefinition.on("group")))
              .withFilterField(Optional.of(FieldPath.parse("id"))));
      try (Ingestion feed =
          cluster.ingest(
              new IngestRequest(DATASET, TestRecords.range(0, 2_000), WriteMode.INSERT, 2))) {
        assertEquals(2_000, feed.result().stored());
      }
      for (Optional<String> node : cluster.waits().values()) {
        assertEquals(Optional.empty(), node);
      }
      Dataset slowly = cluster.engines().get(1).dataset(DATASET);
      CompletableFuture<Boolean> flushed = CompletableFuture.supplyAsync(() -> flush(slowly));
      NavigableMap<Integer, Optional<String>> waits = cluster.waits();
      while (waits.get(1).isEmpty() && !flushed.isDone()) {
        Thread.onSpinWait(); // a node shows itself once a second
        waits = cluster.waits();
      }
      assertEquals(Optional.empty(), waits.get(0));
      assertTrue(waits.get(1).orElseThrow().contains("\"kind\":\"FLUSH\""), waits::toString);
      assertTrue(flushed.join());
      requireTold(cluster);
    }
    // Of a node that was started again, also what nobody has used yet.
    try (Cluster cluster = Cluster.start(options)) {
      assertEquals(List.of(), cluster.stats().get(1).datasets().get(0).partitions());
      cluster.activate();
      requireTold(cluster);
    }
  }

  private static void requireTold(Cluster cluster) throws StorageException, JobFailedException {
    NavigableMap<Integer, EngineStats> stats = cluster.stats();
    assertEquals(Set.of(0, 1), stats.keySet());
    for (StorageEngine engine : cluster.engines()) {
      EngineStats told = stats.get(engine.place().node());
      DatasetStats dataset = told.datasets().get(0);
      assertEquals(2, dataset.partitions().size());
      assertEquals(3, dataset.partitions().get(1).indexes().size());
      assertEquals(engine.stats().datasets(), told.datasets());
      assertEquals(engine.stats().scheduling(), told.scheduling());
    }
  }

  private static boolean flush(Dataset dataset) {
    try {
      dataset.flush();
      return true;
    } catch (StorageException failure) {
      throw new IllegalStateException(failure);
    }
  }
}
