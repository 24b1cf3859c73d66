package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.model.ClusterPlace;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.RecordLimits;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.transaction.log.Durability;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Records that lie where their keys do not belong, in a partition or on a node, as older versions
 * let them: verify counts and names them, and a repair puts them where they belong, with their
 * entries in every kind of index.
 */
class RecordRepairTest {
  private static final Path REJECTS = TestStore.ROOT.resolve(RejectsDirectory.NAME);

  @Test
  void verifyFindsTheRecordsOfAStoreThatAnOlderVersionSpoilt() throws Exception {
    MisroutedStore spoilt = new MisroutedStore();
    try (StorageEngine engine = spoilt.copy(1).open()) {
      VerifyReport report = engine.verify();
      assertEquals(misplaced(engine.dataset(DatasetModel.NAME)), report.misplaced());
      assertTrue(report.misplaced() > 10, report.toString());
      List<String> problems = report.problems();
      assertTrue(
          problems.get(0).matches("\\d+ records of partition 0 of 'model' belong elsewhere.*"),
          problems.toString());
      assertTrue(problems.get(0).contains(" to partition 1"), problems.toString());
      assertTrue(problems.stream().anyMatch(problem -> problem.contains("partition 1 of 'model'")));
      assertTrue(
          problems.stream()
              .anyMatch(
                  problem ->
                      problem.matches(
                          "\\d+ primary keys of 'model' have records in several partitions: .*")),
          problems.toString());
      assertEquals(problems, engine.dataset(DatasetModel.NAME).verify().problems());
    }
  }

  private static long misplaced(Dataset dataset) throws StorageException {
    long misplaced = 0;
    for (int partition = 0; partition < dataset.partitionCount(); partition++) {
      for (Key key : TestStore.keys(dataset.partition(partition).scan(ValueRange.all()))) {
        misplaced += dataset.partitionOf(key) == partition ? 0 : 1;
      }
    }
    return misplaced;
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void repairPutsEveryRecordWhereItBelongs(Durability durability) throws Exception {
    MisroutedStore spoilt = new MisroutedStore();
    TestStore store = spoilt.copy(2);
    EngineOptions options = TestStore.options().durability(durability).build();
    RepairReport report;
    try (StorageEngine engine = store.open(options)) {
      RepairReport plan = new NodeGroup(List.of(engine)).planRepair();
      assertFalse(store.files.exists(REJECTS), "a plan changes nothing");
      assertEquals(plan.misplaced(), engine.verify().misplaced());
      report = engine.repair();
      assertEquals(plan, report);
      spoilt.model.check(engine.dataset(DatasetModel.NAME));
    }
    assertTrue(report.complete());
    assertEquals(spoilt.rejected.size(), report.rejected());
    assertEquals(spoilt.rejected.size(), report.rejections().size());
    assertTrue(report.same() > 0 && report.moved() > 0, report.toString());
    assertEquals(report.misplaced(), report.moved() + report.same() + report.rejected());
    assertEquals(spoilt.rejected, MisroutedStore.rejected(store.files, REJECTS));
    try (StorageEngine engine = store.open(options)) {
      spoilt.model.check(engine.dataset(DatasetModel.NAME));
      assertEquals(0, engine.repair().misplaced(), "nothing is left to do");
      engine.dataset(DatasetModel.NAME).compact();
      spoilt.model.check(engine.dataset(DatasetModel.NAME));
    }
  }

  @Test
  void aRejectedRecordIsNamedBesideTheOneThatStays() throws Exception {
    MisroutedStore spoilt = new MisroutedStore();
    try (StorageEngine engine = spoilt.copy(3).open()) {
      for (RejectedRecord both : engine.repair().rejections()) {
        assertEquals("partition 1", both.keptAt());
        assertEquals("partition 0", both.foundAt());
        long id = Long.parseLong(both.key().replaceAll("[<>]", ""));
        String kept = String.valueOf(spoilt.model.records.get(id));
        assertTrue(kept.startsWith(both.kept().replaceAll("\\.\\.\\.$", "")), both.toString());
      }
    }
  }

  @Test
  void recordsMoveBetweenTheNodesOfAClusterOfAnotherShape() throws Exception {
    for (int nodesAfter = 1; nodesAfter <= 4; nodesAfter++) {
      Nodes cluster = new Nodes(nodesAfter);
      cluster.open(2);
      for (long id = 0; id < 60; id++) {
        cluster.insert(id, 1);
      }
      cluster.close();
      int after = nodesAfter;
      cluster.open(after);
      long wrong = LongStream.range(0, 60).filter(id -> node(id, 2) != node(id, after)).count();
      // Written again in the new shape: same and other bytes, beside the old ones.
      long again = LongStream.range(0, 9).filter(id -> node(id, 2) != node(id, after)).count();
      for (long id = 0; id < 9; id++) {
        cluster.upsert(id, id < 4 ? 1 : 2);
      }
      assertEquals(wrong, cluster.misplaced(), "nodes " + after);
      assertEquals(again > 0, !cluster.group().sharedKeys().isEmpty(), "nodes " + after);
      RepairReport plan = cluster.group().planRepair();
      RepairReport report = cluster.group().repair(Path.of("/rejects"));
      assertEquals(plan, report);
      assertEquals(wrong - again, report.moved());
      assertEquals(again, report.same() + report.rejected());
      assertTrue(report.complete(), report.toString());
      assertEquals(0, cluster.misplaced());
      assertEquals(List.of(), cluster.group().sharedKeys());
      cluster.checkNodes();
      cluster.close();
      cluster.open(after);
      cluster.checkNodes();
      cluster.close();
    }
  }

  private static int node(long id, int nodes) {
    return ClusterPlace.node(Key.of(id).toSlice(), nodes);
  }

  /** Engines of a cluster, and of nodes that a smaller one has left outside. */
  private static final class Nodes {
    private final TestStore store = TestStore.empty(4);
    private final DatasetModel model = new DatasetModel();
    private final int most;
    private int nodes;
    private List<StorageEngine> engines = new ArrayList<>();

    Nodes(int nodesAfter) {
      this.most = Math.max(2, nodesAfter);
    }

    void open(int ofNodes) throws StorageException {
      nodes = ofNodes;
      engines = new ArrayList<>();
      for (int node = 0; node < most; node++) {
        EngineOptions.Builder options = TestStore.options().place(new ClusterPlace(node, nodes));
        engines.add(store.open(options.build().withDirectory(Path.of("/node-" + node))));
        if (node < 2) {
          engines.get(node).openDataset(DatasetModel.options(3));
        }
      }
    }

    NodeGroup group() {
      return new NodeGroup(engines);
    }

    Dataset dataset(long id) throws StorageException {
      return engines.get(node(id, nodes)).openDataset(DatasetModel.options(3));
    }

    private String record(long id, int version) {
      String json = DatasetModel.record(id, Seeds.random(100L * version + id));
      model.records.put(id, json);
      return json;
    }

    void insert(long id, int version) throws StorageException {
      dataset(id).insert(TestStore.bytes(record(id, version)));
    }

    void upsert(long id, int version) throws StorageException {
      dataset(id).upsert(TestStore.bytes(record(id, version)));
    }

    long misplaced() throws StorageException {
      long misplaced = 0;
      for (StorageEngine engine : engines) {
        VerifyReport report = engine.verify();
        misplaced += report.misplaced();
        assertEquals(report.misplaced() == 0, report.clean(), report.problems().toString());
      }
      return misplaced;
    }

    /** Every node has its records, and all that search in them agrees. */
    void checkNodes() throws StorageException {
      for (int node = 0; node < most; node++) {
        DatasetModel own = new DatasetModel(model);
        int number = node;
        own.own = id -> node(id, nodes) == number;
        own.records.keySet().removeIf(id -> !own.own.test(id));
        if (node < nodes || node < 2) {
          own.check(engines.get(node).openDataset(DatasetModel.options(3)));
        }
      }
    }

    void close() throws StorageException {
      for (StorageEngine engine : engines) {
        engine.close();
      }
    }
  }

  @Test
  void whatCannotBePutWhereItBelongsStaysAndIsNamed() throws Exception {
    MisroutedStore spoilt = new MisroutedStore();
    TestStore store = spoilt.copy(5);
    // Long records were taken, and are not under these limits.
    EngineOptions narrow =
        TestStore.options().recordLimits(new RecordLimits(280, 32, 32, 256)).build();
    RepairReport first;
    try (StorageEngine engine = store.open(narrow)) {
      first = engine.repair();
      assertFalse(first.complete());
      assertEquals(first.left(), first.problems().size(), first.problems().toString());
      assertTrue(first.problems().get(0).contains("record bytes"), first.problems().toString());
      assertEquals(first.left(), engine.verify().misplaced());
    }
    try (StorageEngine engine = store.open()) {
      assertEquals(first.left(), engine.repair().misplaced());
      spoilt.model.check(engine.dataset(DatasetModel.NAME));
    }
  }

  @Test
  void recordsOfANodeThatIsNotHereStay() throws Exception {
    TestStore store = TestStore.empty(6);
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(TestStore.people());
      for (long id = 0; id < 20; id++) {
        people.insert(TestStore.person(id, "a", "b", 1));
      }
    }
    EngineOptions other = TestStore.options().place(new ClusterPlace(0, 2)).build();
    try (StorageEngine engine = store.open(other)) {
      RepairReport report = engine.repair();
      long elsewhere = LongStream.range(0, 20).filter(id -> node(id, 2) == 1).count();
      assertEquals(elsewhere, report.left());
      assertTrue(report.problems().get(0).contains("node 1, which is not here"));
      assertEquals(20, engine.verify().records());
    }
  }
}
