package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.KeyRange;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.Quarantine;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.dataset.options.OpeningOptions;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: a batch that was acknowledged as forced is found again or missed, by a whole engine.
 * Method: two batches, the process killed, damage to the second; what a log does under every damage
 * is in ForcedRecordsTest.
 */
final class ForcedBatchTest {
  private static final Path LOG = TestStore.ROOT.resolve("store/log");
  private static final int FIRST = 10;
  private static final int ALL = 300;

  private final TestStore store = TestStore.empty(31);

  @BeforeEach
  void twoForcedBatchesAndAKill() throws StorageException {
    StorageEngine engine = store.open();
    KeyValueStore pairs = engine.createKeyValueStore("pairs", KeyValueOptions.DEFAULTS);
    KeyValueSession session = pairs.openSession();
    for (int i = 0; i < ALL; i++) {
      if (i == FIRST) {
        session.force();
      }
      TestStore.put(session, i);
    }
    session.force();
    assertTrue(segments().size() >= 3);
    store.files.killProcess();
  }

  private List<Path> segments() throws StorageException {
    return store.files.list(LOG).stream().filter(path -> path.toString().endsWith(".log")).toList();
  }

  private static int count(StorageEngine engine) throws StorageException {
    return TestStore.records(engine.keyValueStore("pairs").scan(KeyRange.all())).size();
  }

  private static TestStore restarted(MemoryFileSystem files) {
    return new TestStore(files, 32);
  }

  @Test
  void undamagedAllIsThere() throws StorageException {
    try (StorageEngine engine = restarted(store.files).open()) {
      assertEquals(ALL, count(engine));
      assertEquals("", engine.stats().recovery().droppedLog());
    }
  }

  @Test
  void aFlippedBitIsRefusedAndTheLossCanBeAccepted() throws StorageException {
    // Twelve records of more than a kilobyte into the only segment.
    Path segment = segments().get(0);
    long position = 12 * 1060;
    store.files.damage(segment, position, 1);
    CorruptionException e =
        assertThrows(CorruptionException.class, () -> restarted(store.files).open());
    assertEquals(segment.toString(), e.file());
    assertTrue(e.offset() > position - 1100 && e.offset() <= position, e.getMessage());
    assertTrue(e.getMessage().contains("bytes of forced records are at stake"), e.getMessage());

    EngineOptions accepting =
        TestStore.options().opening(OpeningOptions.DEFAULTS.withAcceptLogLoss()).build();
    TestStore after = restarted(store.files);
    try (StorageEngine engine = after.open(accepting)) {
      int left = count(engine);
      assertTrue(left >= FIRST && left < 14, left + " records");
      String dropped = engine.stats().recovery().droppedLog();
      assertTrue(dropped.contains("whole records"), dropped);
      assertTrue(dropped.contains(segment.toString()), dropped);
    }
    List<Quarantine.Item> kept = new Quarantine(after.files, after.clock, TestStore.ROOT).items();
    assertTrue(kept.size() >= 2, "the segments that were cut off are kept: " + kept);
    try (StorageEngine engine = restarted(store.files).open()) {
      assertEquals("", engine.stats().recovery().droppedLog());
      assertTrue(count(engine) >= FIRST);
    }
  }

  @Test
  void aBlankedNewestSegmentIsRefused() throws StorageException {
    boolean refused = false;
    for (Path segment : segments()) {
      byte[] content = store.files.content(segment);
      blank(segment);
      try (StorageEngine engine = restarted(store.files.crash(1, null)).open()) {
        assertEquals(ALL, count(engine), segment + " was ready and held nothing");
      } catch (CorruptionException e) {
        refused = true;
      }
      write(segment, content);
    }
    assertTrue(refused);
    assertFalse(segments().isEmpty());
  }

  private void blank(Path segment) throws StorageException {
    write(segment, new byte[(int) store.files.size(segment)]);
  }

  private void write(Path segment, byte[] content) throws StorageException {
    try (StorageFile file = store.files.open(segment, FileSystem.OpenMode.READ_WRITE)) {
      file.write(0, content, 0, content.length);
    }
  }
}
