package dev.varve.dataset;

import static dev.varve.dataset.TestStore.keys;
import static dev.varve.dataset.TestStore.people;
import static dev.varve.dataset.TestStore.person;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.KeyEncoder;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.index.MemoryComponent;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.model.ValueRange;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Nobody reads what is not committed and durable, neither a new record nor that one is gone. */
class IsolationTest {
  private final TestStore store = TestStore.empty(8);
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
    assertEquals(List.of(), engine.verify().problems());
    engine.close();
    store.faults.assertNothingOpen();
  }

  @Test
  void aDeletionThatIsNotForcedIsSeenByAllReads() throws StorageException {
    people.flush();
    try (RecordSession session = people.partition(0).openSession()) {
      session.delete(Key.of(1));
      assertFalse(people.get(Key.of(1)).isPresent());
      assertFalse(people.getAll(List.of(Key.of(2), Key.of(1))).get(1).isPresent());
      assertEquals(List.of(Key.of(2)), keys(people.scan(ValueRange.all())));
      assertEquals(
          List.of(Key.of(2)), keys(people.search("name", ValueRange.exactly(Key.of("a")))));
      assertTrue(people.get(Key.of(2)).isPresent());
      assertFalse(session.get(Key.of(1)).isPresent());
      session.force();
      assertEquals(List.of(Key.of(2)), keys(people.scan(ValueRange.all())));
    }
  }

  @Test
  void aReplacedRecordIsFoundUnderItsNewKeyOnlyBeforeTheForceToo() throws StorageException {
    try (RecordSession session = people.partition(0).openSession()) {
      session.upsert(new Slice(person(1, "b", "x", 1)));
      assertEquals(
          List.of(Key.of(2)), keys(people.search("name", ValueRange.exactly(Key.of("a")))));
      assertEquals(
          List.of(Key.of(1)), keys(people.search("name", ValueRange.exactly(Key.of("b")))));
    }
  }

  @Test
  void anInsertThatIsRefusedLeavesNoLockOfItsOwn() throws StorageException {
    try (RecordSession session = people.partition(0).openSession()) {
      duplicate(() -> session.insert(new Slice(person(1, "again", "x", 1))));
      people.upsert(person(1, "other", "x", 1));
      assertArrayEquals(person(1, "other", "x", 1), people.get(Key.of(1)).orElseThrow());
      session.upsert(new Slice(person(2, "mine", "x", 1)));
      duplicate(() -> session.insert(new Slice(person(2, "again", "x", 1))));
      assertArrayEquals(person(2, "mine", "x", 1), people.get(Key.of(2)).orElseThrow());
      locked(() -> people.upsert(person(2, "other", "x", 1)));
    }
    assertArrayEquals(person(2, "mine", "x", 1), people.get(Key.of(2)).orElseThrow());
  }

  @Test
  void twoSessionsNeverWaitForEachOther() throws StorageException {
    // Each has changed what the other wants next; a session forces before it waits.
    try (RecordSession one = people.partition(0).openSession();
        RecordSession two = people.partition(0).openSession()) {
      one.upsert(new Slice(person(1, "one", "x", 1)));
      two.upsert(new Slice(person(2, "two", "x", 1)));
      locked(() -> one.upsert(new Slice(person(2, "one", "x", 1))));
      assertEquals(0, one.unforced());
      two.upsert(new Slice(person(1, "two", "x", 1)));
      two.force();
      one.upsert(new Slice(person(2, "one", "x", 1)));
    }
    assertEquals(
        List.of(Key.of(1)), keys(people.search("name", ValueRange.exactly(Key.of("two")))));
  }

  @Test
  void aTransactionReadsWhatItLocks() throws StorageException {
    try (RecordTransaction scope = people.partition(0).beginTransaction()) {
      assertTrue(scope.get(Key.of(1)).isPresent());
      assertTrue(people.get(Key.of(1)).isPresent());
      locked(() -> people.upsert(person(1, "other", "x", 1)));
      scope.upsert(new Slice(person(1, "mine", "x", 1)));
      assertArrayEquals(person(1, "a", "x", 1), people.get(Key.of(1)).orElseThrow());
      assertArrayEquals(
          person(1, "a", "x", 1),
          people.getAll(List.of(Key.of(2), Key.of(1))).get(1).orElseThrow());
      locked(() -> people.upsert(person(1, "other", "x", 1)));
      scope.commit();
    }
    assertArrayEquals(person(1, "mine", "x", 1), people.get(Key.of(1)).orElseThrow());
  }

  @Test
  void whatIsReadForUpdateIsLockedAtOnceAndNotYetChanged() throws StorageException {
    try (RecordTransaction scope = people.partition(0).beginTransaction();
        RecordTransaction other = people.partition(0).beginTransaction()) {
      assertArrayEquals(person(1, "a", "x", 1), scope.getForUpdate(Key.of(1)).orElseThrow());
      locked(() -> other.getForUpdate(Key.of(1)));
      scope.upsert(new Slice(person(1, "mine", "x", 1)));
      assertArrayEquals(person(1, "mine", "x", 1), scope.getForUpdate(Key.of(1)).orElseThrow());
      scope.commit();
    }
    assertArrayEquals(person(1, "mine", "x", 1), people.get(Key.of(1)).orElseThrow());
  }

  @Test
  void whatATransactionReadForUpdateAndChangedTwiceIsNotSeenByACursor() throws StorageException {
    try (RecordTransaction scope = people.partition(0).beginTransaction()) {
      assertTrue(scope.getForUpdate(Key.of(2)).isPresent());
      changeTwiceBehindACursor(scope);
    }
  }

  @Test
  void anAbortWhileACursorIsOpenIsNotSeenByIt() throws StorageException {
    try (RecordTransaction scope = people.partition(0).beginTransaction()) {
      scope.upsert(new Slice(person(2, "doomed", "x", 1)));
      scope.insert(new Slice(person(3, "doomed", "x", 1)));
      try (RecordCursor cursor = people.scan(ValueRange.all())) {
        assertTrue(cursor.next());
        // Records 2 and 3 may have been read ahead; the abort releases their locks.
        scope.abort();
        assertTrue(cursor.next());
        assertArrayEquals(person(2, "a", "x", 2), cursor.value().toByteArray());
        assertFalse(cursor.next());
      }
    }
  }

  @Test
  void whatATransactionChangedAgainBeforeItsCommitIsNotSeenByACursor() throws StorageException {
    try (RecordTransaction scope = people.partition(0).beginTransaction()) {
      changeTwiceBehindACursor(scope);
    }
  }

  private void changeTwiceBehindACursor(RecordTransaction scope) throws StorageException {
    scope.delete(Key.of(2));
    try (RecordCursor cursor = people.scan(ValueRange.all())) {
      assertTrue(cursor.next());
      // That record 2 is gone may have been read ahead; the commit releases its lock.
      scope.upsert(new Slice(person(2, "anew", "x", 1)));
      scope.commit();
      assertTrue(cursor.next());
      assertArrayEquals(person(2, "anew", "x", 1), cursor.value().toByteArray());
      assertFalse(cursor.next());
    }
  }

  @Test
  void whatASecondaryIndexSaysIsValidated() throws StorageException {
    var index = people.managed.lifecycles().get(0).openIndexes().all().get(1);
    Slice entry = new KeyEncoder().addString("stale").addEncoded(Key.of(1).toSlice()).toSlice();
    put(index.tryEnter(), entry, false);
    assertEquals(List.of(), keys(people.search("name", ValueRange.exactly(Key.of("stale")))));
    List<String> problems = engine.verify().problems();
    assertEquals(1, problems.size());
    assertTrue(problems.get(0).contains("has an old entry of record <1>"), problems.get(0));
    put(index.tryEnter(), entry, true);
  }

  private static void put(MemoryComponent<?> component, Slice key, boolean antimatter) {
    Entry entry = new Entry();
    entry.key().set(key.bytes(), key.offset(), key.length());
    component.put(entry.antimatter(antimatter), 0);
    component.exit();
  }

  private static void locked(Executable call) {
    refused(ConflictException.Reason.LOCK_TIMEOUT, call);
  }

  private static void duplicate(Executable call) {
    refused(ConflictException.Reason.DUPLICATE_KEY, call);
  }

  private static void refused(ConflictException.Reason reason, Executable call) {
    assertEquals(reason, assertThrows(ConflictException.class, call).reason());
  }
}
