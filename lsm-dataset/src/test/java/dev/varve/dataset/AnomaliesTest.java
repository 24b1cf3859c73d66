package dev.varve.dataset;

import static dev.varve.dataset.TestStore.keys;
import static dev.varve.dataset.TestStore.people;
import static dev.varve.dataset.TestStore.person;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.Isolation;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.ValueRange;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * The anomalies that Adya names and Hermitage tries, for the three ways to read: a plain read,
 * which sees what is committed and locks nothing, a read of the transaction, which locks what it
 * reads to the end, and a read of a transaction as of its beginning. docs/TRANSACTIONS.md has the
 * table. The engine has one thread here, so that who would wait is refused.
 */
class AnomaliesTest {
  private final TestStore store = TestStore.empty(13);
  private StorageEngine engine;
  private Dataset people;

  @BeforeEach
  void open() throws StorageException {
    engine = store.open();
    people = engine.createDataset(people());
    people.insert(named(1, "ten"));
    people.insert(named(2, "twenty"));
  }

  @AfterEach
  void close() throws StorageException {
    assertEquals(List.of(), engine.verify().problems());
    engine.close();
  }

  @Test
  void g0WritesOfTwoTransactionsDoNotMingle() throws StorageException {
    try (RecordTransaction one = people.beginTransaction();
        RecordTransaction two = people.beginTransaction()) {
      one.upsert(named(1, "eleven"));
      waits(() -> two.upsert(named(1, "twelve")));
      one.upsert(named(2, "twentyone"));
      one.commit();
    }
    assertEquals("eleven", name(1));
    assertEquals("twentyone", name(2));
  }

  @Test
  void g1aWhatIsAbortedIsNotRead() throws StorageException {
    try (RecordTransaction one = people.beginTransaction()) {
      one.upsert(named(1, "gone"));
      assertEquals("ten", name(1));
      one.abort();
    }
    assertEquals("ten", name(1));
  }

  @Test
  void g1bWhatIsOnlyAStepIsNotRead() throws StorageException {
    try (RecordTransaction one = people.beginTransaction()) {
      one.upsert(named(1, "step"));
      assertEquals("ten", name(1));
      one.upsert(named(1, "eleven"));
      one.commit();
    }
    assertEquals("eleven", name(1));
  }

  @Test
  void g1cTwoTransactionsDoNotReadFromEachOther() throws StorageException {
    try (RecordTransaction one = people.beginTransaction();
        RecordTransaction two = people.beginTransaction()) {
      one.upsert(named(1, "eleven"));
      two.upsert(named(2, "twentytwo"));
      assertEquals("twenty", name(2));
      assertEquals("ten", name(1));
      one.commit();
      two.commit();
    }
  }

  @Test
  void g1cWithReadsThatLockOneOfThemIsRefused() throws StorageException {
    try (RecordTransaction one = people.beginTransaction();
        RecordTransaction two = people.beginTransaction()) {
      one.upsert(named(1, "eleven"));
      two.upsert(named(2, "twentytwo"));
      waits(() -> one.get(Key.of(2)));
      assertFalse(one.active());
      assertEquals("ten", text(two.get(Key.of(1)).orElseThrow()));
      two.commit();
    }
    assertEquals("ten", name(1));
  }

  @Test
  void otvWhatWasSeenOfATransactionDoesNotVanish() throws StorageException {
    try (RecordTransaction one = people.beginTransaction();
        RecordTransaction two = people.beginTransaction()) {
      one.upsert(named(1, "eleven"));
      one.upsert(named(2, "nineteen"));
      one.commit();
      two.upsert(named(1, "twelve"));
      assertEquals("eleven", name(1));
      two.upsert(named(2, "eighteen"));
      assertEquals("nineteen", name(2));
      two.commit();
    }
    assertEquals("twelve", name(1));
    assertEquals("eighteen", name(2));
  }

  @Test
  void pmpASearchThatIsRepeatedMayFindMore() throws StorageException {
    assertEquals(List.of(), search("thirty"));
    try (RecordTransaction one = people.beginTransaction()) {
      one.insert(named(3, "thirty"));
      assertEquals(List.of(), search("thirty"));
      one.commit();
    }
    assertEquals(List.of(Key.of(3)), search("thirty"));
  }

  @Test
  void p4AnUpdateIsLostWhereReadsLockNothing() throws StorageException {
    String seenByOne = name(1);
    String seenByTwo = name(1);
    people.upsert(named(1, seenByOne + "one"));
    people.upsert(named(1, seenByTwo + "two"));
    assertEquals("tentwo", name(1));
  }

  @Test
  void p4AnUpdateIsNotLostWhereTheRecordIsReadForIt() throws StorageException {
    try (RecordTransaction one = people.beginTransaction();
        RecordTransaction two = people.beginTransaction()) {
      String seen = text(one.getForUpdate(Key.of(1)).orElseThrow());
      waits(() -> two.getForUpdate(Key.of(1)));
      one.upsert(named(1, seen + "one"));
      one.commit();
    }
    assertEquals("tenone", name(1));
  }

  @Test
  void gSingleReadsThatLockNothingMayBeOfTwoMoments() throws StorageException {
    String before = name(1);
    try (RecordTransaction one = people.beginTransaction()) {
      one.upsert(named(1, "twelve"));
      one.upsert(named(2, "eighteen"));
      one.commit();
    }
    assertEquals(List.of("ten", "eighteen"), List.of(before, name(2)));
  }

  @Test
  void gSingleReadsThatLockAreOfOneMoment() throws StorageException {
    try (RecordTransaction reader = people.beginTransaction();
        RecordTransaction writer = people.beginTransaction()) {
      assertEquals("ten", text(reader.get(Key.of(1)).orElseThrow()));
      waits(() -> writer.upsert(named(1, "twelve")));
      assertEquals("twenty", text(reader.get(Key.of(2)).orElseThrow()));
    }
  }

  @Test
  void g2ItemTwoThatReadWhatTheOtherWritesCannotBothCommitWhereReadsLock() throws StorageException {
    try (RecordTransaction one = people.beginTransaction();
        RecordTransaction two = people.beginTransaction()) {
      assertTrue(one.get(Key.of(1)).isPresent() && one.get(Key.of(2)).isPresent());
      assertTrue(two.get(Key.of(1)).isPresent() && two.get(Key.of(2)).isPresent());
      waits(() -> one.upsert(named(1, "eleven")));
      assertFalse(one.active());
      two.upsert(named(2, "twentyone"));
      two.commit();
    }
    assertEquals("ten", name(1));
    assertEquals("twentyone", name(2));
  }

  @Test
  void g2AKeyThatIsMissingIsLockedToo() throws StorageException {
    try (RecordTransaction one = people.beginTransaction();
        RecordTransaction two = people.beginTransaction()) {
      assertFalse(one.get(Key.of(3)).isPresent());
      waits(() -> two.insert(named(3, "thirty")));
    }
    assertFalse(people.get(Key.of(3)).isPresent());
  }

  @Test
  void g2SearchesLockNothingSoThatTwoMayEachInsertWhatTheOtherLookedFor() throws StorageException {
    try (RecordTransaction one = people.beginTransaction();
        RecordTransaction two = people.beginTransaction()) {
      assertEquals(List.of(), search("thirty"));
      assertEquals(List.of(), search("thirty"));
      one.insert(named(3, "thirty"));
      two.insert(named(4, "thirty"));
      one.commit();
      two.commit();
    }
    assertEquals(List.of(Key.of(3), Key.of(4)), search("thirty"));
  }

  @Test
  void g0AsOfTheBeginningTheSecondWriterIsRefused() throws StorageException {
    try (RecordTransaction one = asOfNow();
        RecordTransaction two = asOfNow()) {
      one.upsert(named(1, "eleven"));
      one.upsert(named(2, "twentyone"));
      one.commit();
      conflicts(() -> two.upsert(named(1, "twelve")));
      assertFalse(two.active());
    }
    assertEquals("eleven", name(1));
    assertEquals("twentyone", name(2));
  }

  @Test
  void g1AsOfTheBeginningOnlyWhatIsCommittedIsReadAndNoStep() throws StorageException {
    try (RecordTransaction one = people.beginTransaction();
        RecordTransaction two = asOfNow()) {
      one.upsert(named(1, "step"));
      two.upsert(named(2, "twentytwo"));
      assertEquals("ten", name(two, 1));
      assertEquals("twenty", name(2));
      one.upsert(named(1, "eleven"));
      one.commit();
      assertEquals("ten", name(two, 1));
      two.commit();
    }
    assertEquals("eleven", name(1));
    assertEquals("twentytwo", name(2));
  }

  @Test
  void pmpAsOfTheBeginningASearchThatIsRepeatedFindsTheSame() throws StorageException {
    try (RecordTransaction reader = asOfNow()) {
      assertEquals(List.of(), search(reader, "thirty"));
      people.insert(named(3, "thirty"));
      people.delete(Key.of(2));
      people.flush();
      assertEquals(List.of(), search(reader, "thirty"));
      assertEquals(List.of(Key.of(2)), search(reader, "twenty"));
      assertEquals(List.of(Key.of(1), Key.of(2)), keys(reader.scan(ValueRange.all())));
    }
  }

  @Test
  void p4AsOfTheBeginningTheSecondUpdateIsRefused() throws StorageException {
    try (RecordTransaction one = asOfNow();
        RecordTransaction two = asOfNow()) {
      String seen = name(two, 1);
      one.upsert(named(1, name(one, 1) + "one"));
      one.commit();
      conflicts(() -> two.upsert(named(1, seen + "two")));
    }
    assertEquals("tenone", name(1));
  }

  @Test
  void gSingleAsOfTheBeginningReadsAreOfOneMoment() throws StorageException {
    try (RecordTransaction reader = asOfNow()) {
      assertEquals("ten", name(reader, 1));
      try (RecordTransaction writer = people.beginTransaction()) {
        writer.upsert(named(1, "twelve"));
        writer.upsert(named(2, "eighteen"));
        writer.commit();
      }
      assertEquals("twenty", name(reader, 2));
      conflicts(() -> reader.delete(Key.of(2)));
    }
  }

  @Test
  void g2AsOfTheBeginningEachOfTwoMayWriteWhatTheOtherHasRead() throws StorageException {
    try (RecordTransaction one = asOfNow();
        RecordTransaction two = asOfNow()) {
      assertEquals("twenty", name(one, 2));
      assertEquals("ten", name(two, 1));
      one.upsert(named(1, "eleven"));
      two.upsert(named(2, "twentyone"));
      one.commit();
      two.commit();
    }
    assertEquals("eleven", name(1));
    assertEquals("twentyone", name(2));
  }

  @Test
  void g2AsOfTheBeginningWhoeverReadsForUpdateIsRefused() throws StorageException {
    try (RecordTransaction one = asOfNow();
        RecordTransaction two = asOfNow()) {
      assertTrue(one.getForUpdate(Key.of(2)).isPresent());
      one.upsert(named(1, "eleven"));
      waits(() -> two.upsert(named(2, "twentyone")));
      one.commit();
    }
    assertEquals("twenty", name(2));
  }

  private RecordTransaction asOfNow() throws StorageException {
    return people.beginTransaction(Isolation.SNAPSHOT);
  }

  private static String name(RecordTransaction transaction, long id) throws StorageException {
    return text(transaction.get(Key.of(id)).orElseThrow());
  }

  private static List<Key> search(RecordTransaction transaction, String name)
      throws StorageException {
    return keys(transaction.search("name", ValueRange.exactly(Key.of(name))));
  }

  /** What another has changed since. */
  private static void conflicts(Executable call) {
    assertEquals(
        ConflictException.Reason.WRITE_CONFLICT,
        assertThrows(ConflictException.class, call).reason());
  }

  private static byte[] named(long id, String name) {
    return person(id, name, "x", 1);
  }

  private String name(long id) throws StorageException {
    return text(people.get(Key.of(id)).orElseThrow());
  }

  private static String text(byte[] record) {
    String json = new String(record, StandardCharsets.UTF_8);
    int begin = json.indexOf("\"name\":\"") + 8;
    return json.substring(begin, json.indexOf('"', begin));
  }

  private List<Key> search(String name) throws StorageException {
    return keys(people.search("name", ValueRange.exactly(Key.of(name))));
  }

  /** What would wait for another thread. */
  private static void waits(Executable call) {
    assertEquals(
        ConflictException.Reason.LOCK_TIMEOUT,
        assertThrows(ConflictException.class, call).reason());
  }
}
