package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.error.ConflictException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.DatasetOptions;
import org.junit.jupiter.api.Test;

/**
 * Goal: an engine that is opened to be read finds all that was committed, and changes nothing on
 * disk. Method: the disk of a killed process, with flushed components of which a merge is due, and
 * a tail of the log; the operations of the disk are counted.
 */
final class ReadOnlyTest {
  private static final int RECORDS = 40;

  private final TestStore store = TestStore.empty(11);

  /** By another process: the workers of the one that was killed are not stepped any more. */
  private StorageEngine openReadOnly() throws StorageException {
    TestStore other = new TestStore(store.files, store.seed);
    return StorageEngine.openReadOnly(
        TestStore.options().build(),
        new EngineSeams(other.files, other.clock, other.executor, Seeds.random(other.seed))
            .withLimits(ProcessLimits.NONE));
  }

  /** Fills a store and kills its process. */
  private void fillAndKill() throws StorageException {
    StorageEngine engine = store.open();
    Dataset people = engine.createDataset(TestStore.people());
    for (int id = 0; id < RECORDS; id++) {
      people.upsert(TestStore.person(id, "Ada", "London", id));
      if (id % 10 == 4) {
        people.flush();
      }
    }
    store.files.killProcess();
  }

  @Test
  void allThatWasCommittedIsFoundAndNothingOnDiskChanges() throws Exception {
    fillAndKill();
    long operations = store.files.operationCount();
    for (int round = 0; round < 2; round++) {
      try (StorageEngine engine = openReadOnly()) {
        Dataset people = engine.dataset("people");
        assertEquals(RECORDS, TestStore.records(people.scan(ValueRange.all())).size());
        assertTrue(people.get(Key.of(RECORDS - 1)).isPresent());
        assertEquals(
            RECORDS,
            TestStore.records(people.search("name", ValueRange.exactly(Key.of("Ada")))).size());
        assertTrue(engine.verify().clean(), () -> "not clean");
      }
      // The lock is taken on the disk, which changes no file of it.
      assertEquals(operations + 1 + round, store.files.operationCount());
    }
    try (StorageEngine engine = new TestStore(store.files, store.seed).open()) {
      assertEquals(
          RECORDS, TestStore.records(engine.dataset("people").scan(ValueRange.all())).size());
      assertTrue(engine.verify().clean(), () -> "not clean");
    }
  }

  @Test
  void whatWouldChangeTheStoreIsRefused() throws Exception {
    fillAndKill();
    try (StorageEngine engine = openReadOnly()) {
      Dataset people = engine.dataset("people");
      byte[] record = TestStore.person(1, "Bob", "Paris", 3);
      assertRefused(() -> people.upsert(record));
      assertRefused(() -> people.delete(Key.of(1)));
      assertRefused(people::compact);
      assertRefused(people::flush);
      assertRefused(() -> engine.drop("people"));
      assertRefused(() -> engine.createDataset(DatasetOptions.of("more", "id")));
      assertEquals(RECORDS, TestStore.records(people.scan(ValueRange.all())).size());
    }
  }

  private interface Call {
    void run() throws StorageException;
  }

  private static void assertRefused(Call call) {
    RequestException refused = assertThrows(RequestException.class, call::run);
    assertEquals(RequestException.Reason.UNSUPPORTED, refused.reason());
  }

  @Test
  void aDirectoryWithoutAStoreIsRefusedAndOneThatIsOpenToo() throws Exception {
    store.files.createDirectories(TestStore.ROOT);
    ConflictException none = assertThrows(ConflictException.class, () -> openReadOnly().close());
    assertEquals(ConflictException.Reason.NO_STORE, none.reason());
    assertTrue(store.files.list(TestStore.ROOT).isEmpty());
    try (StorageEngine engine = store.open()) {
      assertTrue(engine.names().isEmpty());
      ConflictException used = assertThrows(ConflictException.class, () -> openReadOnly().close());
      assertEquals(ConflictException.Reason.DIRECTORY_IN_USE, used.reason());
    }
  }
}
