package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.ClusterPlace;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.KeyValueOptions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * A record or a key that belongs to another partition, or to another node, is refused by everything
 * that takes records and keys, with its key, where it belongs and where it was sent; nothing is
 * left of it, and what refused it goes on.
 */
class WrongPartitionTest {
  private final TestStore store = TestStore.empty(21);
  private StorageEngine engine;
  private Dataset people;
  private DatasetPartition zero;

  /** An id of partition 0, and one of partition 1. */
  private long own;

  private long foreign;

  @BeforeEach
  void open() throws StorageException {
    engine = store.open();
    people = engine.createDataset(TestStore.people().withPartitions(2));
    zero = people.partition(0);
    own = idOf(0);
    foreign = idOf(1);
  }

  @AfterEach
  void close() throws StorageException {
    engine.close();
  }

  private long idOf(int partition) {
    long id = 100;
    while (people.partitionOf(Key.of(id)) != partition) {
      id++;
    }
    return id;
  }

  private static Slice person(long id) {
    return new Slice(TestStore.person(id, "ann", "rome", 3));
  }

  private void refused(Executable call) {
    RequestException refused = assertThrows(RequestException.class, call);
    assertEquals(RequestException.Reason.WRONG_PARTITION, refused.reason());
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains("record <" + foreign + "> belongs to partition 1"), message);
    assertTrue(message.contains("not to partition 0 of 'people'"), message);
    assertTrue(message.contains("insert, upsert, delete and get of the dataset"), message);
  }

  private void assertHolds(long... ids) throws StorageException {
    assertEquals(ids.length, TestStore.records(people.scan(ValueRange.all())).size());
    for (long id : ids) {
      assertTrue(people.get(Key.of(id)).isPresent(), "record " + id);
    }
    assertEquals(List.of(), engine.verify().problems());
  }

  @Test
  void aSessionRefusesItAndGoesOn() throws StorageException {
    Slice key = Key.of(foreign).toSlice();
    try (RecordSession session = zero.openSession()) {
      refused(() -> session.insert(person(foreign)));
      refused(() -> session.upsert(person(foreign)));
      refused(() -> session.delete(Key.of(foreign)));
      refused(() -> session.get(Key.of(foreign)));
      assertEquals(0, session.unforced());
      session.insert(person(own));
    }
    refused(() -> zero.get(key, new KeyValue()));
    assertFalse(people.get(Key.of(foreign)).isPresent());
    assertHolds(own);
    // Nothing is locked: the record goes where it belongs.
    people.insert(person(foreign).toByteArray());
    assertHolds(own, foreign);
    refused(() -> zero.get(key, new KeyValue()));
  }

  @Test
  void aTransactionRefusesItAndGoesOn() throws StorageException {
    try (RecordTransaction scope = zero.beginTransaction()) {
      scope.insert(person(own));
      refused(() -> scope.insert(person(foreign)));
      refused(() -> scope.upsert(person(foreign)));
      refused(() -> scope.delete(Key.of(foreign)));
      refused(() -> scope.get(Key.of(foreign)));
      refused(() -> scope.getForUpdate(Key.of(foreign)));
      assertTrue(scope.active());
      people.insert(person(foreign).toByteArray());
      scope.commit();
    }
    assertHolds(own, foreign);
  }

  @Test
  void aBulkLoadRefusesTheFirstAndLeavesNothingBehind() throws StorageException {
    try (RecordLoader loader = zero.bulkLoad()) {
      long first = Math.min(own, foreign);
      if (first == own) {
        loader.add(person(own));
      }
      refused(() -> loader.add(person(foreign)));
    }
    assertHolds();
    engine.close();
    engine = store.open();
    people = engine.dataset("people");
    assertHolds();
    zero = people.partition(0);
    try (RecordLoader loader = zero.bulkLoad()) {
      loader.add(person(own));
      assertEquals(1, loader.finish());
    }
    assertHolds(own);
  }

  @Test
  void aNodeRefusesRecordsOfOtherNodesAndVerifyFindsThem() throws StorageException {
    long id = 0;
    while (ClusterPlace.node(Key.of(id).toSlice(), 2) != 1) {
      id++;
    }
    long ofNodeOne = id;
    people.insert(person(ofNodeOne).toByteArray());
    engine.close();
    engine = store.open(TestStore.options().place(new ClusterPlace(0, 2)).build());
    people = engine.dataset("people");
    VerifyReport report = engine.verify();
    assertEquals(1, report.misplaced());
    assertTrue(
        report.problems().get(0).contains("record <" + ofNodeOne + "> to partition "),
        report.problems().toString());
    assertTrue(report.problems().get(0).contains(" of node 1"), report.problems().toString());
    for (Executable call :
        List.<Executable>of(
            () -> people.insert(person(ofNodeOne).toByteArray()),
            () -> people.upsert(person(ofNodeOne).toByteArray()),
            () -> people.delete(Key.of(ofNodeOne)))) {
      RequestException refused = assertThrows(RequestException.class, call);
      assertEquals(RequestException.Reason.WRONG_PARTITION, refused.reason());
      assertTrue(String.valueOf(refused.getMessage()).contains("on node 0 of 2"));
    }
    // Key-value stores are not divided.
    KeyValueStore pairs = engine.createKeyValueStore("pairs", KeyValueOptions.DEFAULTS);
    try (KeyValueSession session = pairs.openSession()) {
      for (int key = 0; key < 20; key++) {
        TestStore.put(session, key);
      }
    }
    assertEquals(20, pairs.verify().records());
    assertEquals(List.of(), pairs.verify().problems());
  }
}
