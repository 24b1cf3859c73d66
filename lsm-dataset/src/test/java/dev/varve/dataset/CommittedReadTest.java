package dev.varve.dataset;

import static dev.varve.dataset.TestStore.keys;
import static dev.varve.dataset.TestStore.people;
import static dev.varve.dataset.TestStore.person;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.model.Isolation;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.ValueRange;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Readers beside an open transaction see, at once, what was committed before it: the engine has one
 * thread here, so that a reader who waited would be refused. Afterwards they see all of it or none.
 */
class CommittedReadTest {
  private static final List<String> NAMES = List.of("a", "b", "c");

  private final TestStore store = TestStore.empty(12);
  private StorageEngine engine;
  private Dataset people;

  @BeforeEach
  void open() throws StorageException {
    engine = store.open();
    people = engine.createDataset(people());
    people.insert(person(1, "a", "x", 1));
    people.insert(person(2, "a", "x", 2));
  }

  @AfterEach
  void close() throws StorageException {
    assertEquals(0, people.managed.node().locks().stats().locked());
    assertEquals(List.of(), engine.verify().problems());
    engine.close();
    store.faults.assertNothingOpen();
  }

  @Test
  void insertsUpdatesAndDeletionsAreSeenFromTheirCommitOn() throws StorageException {
    try (RecordTransaction open = people.beginTransaction()) {
      open.upsert(person(1, "b", "y", 1));
      open.delete(Key.of(2));
      open.insert(person(3, "a", "x", 3));
      assertArrayEquals(person(1, "a", "x", 1), people.get(Key.of(1)).orElseThrow());
      assertTrue(people.get(Key.of(2)).isPresent());
      assertFalse(people.get(Key.of(3)).isPresent());
      assertEquals(List.of(Key.of(1), Key.of(2)), keys(people.scan(ValueRange.all())));
      assertEquals(List.of(Key.of(1), Key.of(2)), named("a"));
      assertEquals(List.of(), named("b"));
      open.commit();
    }
    assertEquals(List.of(Key.of(1), Key.of(3)), keys(people.scan(ValueRange.all())));
    assertEquals(List.of(Key.of(3)), named("a"));
    assertEquals(List.of(Key.of(1)), named("b"));
  }

  @Test
  void whatIsTakenBackWasNeverSeen() throws StorageException {
    try (RecordTransaction open = people.beginTransaction()) {
      open.upsert(person(1, "b", "y", 1));
      open.upsert(person(1, "c", "z", 1));
      assertArrayEquals(person(1, "a", "x", 1), people.get(Key.of(1)).orElseThrow());
      open.abort();
    }
    assertArrayEquals(person(1, "a", "x", 1), people.get(Key.of(1)).orElseThrow());
    assertEquals(List.of(Key.of(1), Key.of(2)), named("a"));
  }

  @Test
  void whatIsOnlyReadForUpdateIsReadByOthers() throws StorageException {
    try (RecordTransaction open = people.beginTransaction()) {
      assertTrue(open.getForUpdate(Key.of(1)).isPresent());
      assertFalse(open.getForUpdate(Key.of(7)).isPresent());
      assertArrayEquals(person(1, "a", "x", 1), people.get(Key.of(1)).orElseThrow());
      assertFalse(people.get(Key.of(7)).isPresent());
      assertEquals(List.of(Key.of(1), Key.of(2)), named("a"));
    }
  }

  @Test
  void aChangeThatWasRefusedHidesNothing() throws StorageException {
    try (RecordTransaction open = people.beginTransaction()) {
      assertThrows(ConflictException.class, () -> open.insert(person(1, "again", "x", 1)));
      assertArrayEquals(person(1, "a", "x", 1), people.get(Key.of(1)).orElseThrow());
      open.delete(Key.of(1));
      assertArrayEquals(person(1, "a", "x", 1), people.get(Key.of(1)).orElseThrow());
      open.commit();
    }
    assertFalse(people.get(Key.of(1)).isPresent());
  }

  @Test
  void whatASessionHasNotForcedIsSeenByAllKindsOfReadsAndIsLostByNoCrashFromThenOn()
      throws StorageException {
    try (RecordSession session = people.openSession()) {
      session.upsert(person(1, "b", "y", 1));
      session.delete(Key.of(2));
      session.insert(person(3, "b", "y", 3));
      assertArrayEquals(person(1, "b", "y", 1), people.get(Key.of(1)).orElseThrow());
      assertEquals(List.of(Key.of(1), Key.of(3)), keys(people.scan(ValueRange.all())));
      assertEquals(List.of(), named("a"));
      assertEquals(List.of(Key.of(1), Key.of(3)), named("b"));
      try (EngineSnapshot snapshot = engine.snapshot();
          RecordTransaction reader = people.beginTransaction(Isolation.SNAPSHOT)) {
        session.upsert(person(3, "c", "z", 3));
        assertArrayEquals(person(3, "b", "y", 3), snapshot.get(people, Key.of(3)).orElseThrow());
        assertArrayEquals(person(3, "b", "y", 3), reader.get(Key.of(3)).orElseThrow());
        assertArrayEquals(person(1, "b", "y", 1), reader.get(Key.of(1)).orElseThrow());
      }
      session.insert(person(4, "d", "z", 4));
      TestStore left = new TestStore(store.files.crash(0, Seeds.random(1)), 1);
      try (StorageEngine recovered = left.open()) {
        assertEquals(
            List.of(Key.of(1), Key.of(3)),
            keys(recovered.dataset("people").scan(ValueRange.all())));
      }
    }
  }

  @Test
  void aWriterThatIsRefusedLearnsWhoHasTheRecord() throws StorageException {
    try (RecordTransaction open = people.beginTransaction()) {
      open.upsert(person(1, "b", "x", 1));
      String message =
          assertThrows(ConflictException.class, () -> people.upsert(person(1, "c", "x", 1)))
              .getMessage();
      assertTrue(
          message.matches(
              "record <1> in partition 0 of 'people', which transaction \\d+, open for \\d+ ms has"
                  + " locked, was not unlocked within 1000 ms .*"),
          message);
    }
  }

  /** One transaction after the other changes records; readers in between know only the last end. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void readersSeeTheLastCommittedStateWhateverIsOpen(long given) throws StorageException {
    RandomGenerator random = Seeds.random(given);
    Map<Long, byte[]> committed = new TreeMap<>();
    committed.put(1L, person(1, "a", "x", 1));
    committed.put(2L, person(2, "a", "x", 2));
    for (int round = 0; round < 60; round++) {
      Map<Long, byte[]> changed = new TreeMap<>(committed);
      try (RecordTransaction open = people.beginTransaction()) {
        for (int change = random.nextInt(8); change >= 0; change--) {
          long id = random.nextLong(12);
          switch (random.nextInt(4)) {
            case 0 -> {
              open.delete(Key.of(id));
              changed.remove(id);
            }
            case 1 -> open.getForUpdate(Key.of(id));
            default -> {
              byte[] record = person(id, NAMES.get(random.nextInt(3)), "x", round);
              open.upsert(record);
              changed.put(id, record);
            }
          }
          assertSees(committed);
        }
        if (random.nextBoolean()) {
          open.commit();
          committed = changed;
        }
      }
      assertSees(committed);
      if (random.nextInt(6) == 0) {
        people.flush();
      }
    }
  }

  private void assertSees(Map<Long, byte[]> expected) throws StorageException {
    for (long id = 0; id < 12; id++) {
      assertArrayEquals(expected.get(id), people.get(Key.of(id)).orElse(null));
    }
    assertEquals(
        expected.keySet().stream().map(Key::of).toList(), keys(people.scan(ValueRange.all())));
    for (String name : NAMES) {
      List<Key> found = new ArrayList<>();
      expected.forEach(
          (id, record) -> {
            if (new String(record, StandardCharsets.UTF_8).contains("\"name\":\"" + name + "\"")) {
              found.add(Key.of(id));
            }
          });
      assertEquals(found, named(name));
    }
  }

  @Test
  void pairsOfAKeyValueStoreAreReadTheSameWay() throws StorageException {
    KeyValueStore pairs = engine.createKeyValueStore(KeyValueModel.NAME, KeyValueModel.options());
    pairs.put(bytes("k"), bytes("old"));
    try (KeyValueTransaction open = pairs.beginTransaction()) {
      open.upsert(bytes("k"), bytes("new"));
      open.upsert(bytes("l"), bytes("new"));
      assertArrayEquals(bytes("old"), pairs.get(bytes("k")).orElseThrow());
      assertFalse(pairs.get(bytes("l")).isPresent());
      KeyValue found = new KeyValue();
      assertTrue(pairs.get(new Slice(bytes("k")), found));
      assertArrayEquals(bytes("k"), found.key().toByteArray());
      open.commit();
    }
    assertArrayEquals(bytes("new"), pairs.get(bytes("k")).orElseThrow());
    assertArrayEquals(bytes("new"), pairs.get(bytes("l")).orElseThrow());
  }

  private List<Key> named(String name) throws StorageException {
    return keys(people.search("name", ValueRange.exactly(Key.of(name))));
  }

  private static byte[] bytes(String text) {
    return TestStore.bytes(text);
  }
}
