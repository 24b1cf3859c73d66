package dev.varve.common.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.ComponentFormat;
import dev.varve.common.format.DiskIndex;
import dev.varve.common.format.DiskIndexBuilder;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.format.Lookup;
import dev.varve.common.format.MemoryIndex;
import dev.varve.common.page.PageFile;
import dev.varve.common.page.PageFileWriter;
import dev.varve.common.testkit.SortedRunFormat;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * an optimistic read counts only if the components that it looked at were the index's to the end.
 * Method: an index kind during whose optimistic reads something happens.
 */
final class OptimisticReadTest {
  /** Something that happens in the middle of an optimistic read. */
  private interface Event {
    void happen() throws StorageException;
  }

  @TempDir Path directory;
  private final Entry found = new Entry();
  private final Slice present = IndexFixture.slice("present");
  private IndexFixture fixture;
  private Event event = () -> {};

  @BeforeEach
  void openAnIndexWithOneDiskComponent() throws StorageException {
    fixture = new IndexFixture(directory);
    fixture.index.close();
    fixture.format = new InterruptingFormat();
    fixture.open();
    fixture.put("present", "1");
    fixture.index.flush();
    // The first look holds the filter's page.
    assertNull(fixture.findOptimistically(present, found));
    assertEquals("1", fixture.get("present"));
  }

  @AfterEach
  void close() {
    fixture.index.close();
  }

  @Test
  void aGlanceSeesWhatALookSees() throws StorageException {
    assertEquals(Origin.DISK, fixture.findOptimistically(present, found));
    assertEquals("1", IndexFixture.text(found.value()));
    assertEquals(Origin.NOWHERE, fixture.findOptimistically(IndexFixture.slice("absent"), found));
    fixture.put("new", "2");
    assertEquals(Origin.MEMORY, fixture.findOptimistically(IndexFixture.slice("new"), found));
  }

  @Test
  void aGlanceDuringWhichTheComponentsWereReplacedDoesNotCount() throws StorageException {
    event = this::flushAnother;
    assertNull(fixture.findOptimistically(present, found));
  }

  @Test
  void aGlanceDuringWhichTheIndexWasClosedDoesNotCount() throws StorageException {
    event = fixture.index::close;
    assertNull(fixture.findOptimistically(present, found));
    assertNull(fixture.findOptimistically(present, found));
    assertThrows(IllegalStateException.class, () -> fixture.index.find(present, found));
  }

  @Test
  void aFindThatCannotGoByAGlanceLooksProperly() throws StorageException {
    event = this::flushAnother;
    assertEquals(Origin.DISK, fixture.index.find(present, found));
    assertEquals("1", IndexFixture.text(found.value()));
  }

  @Test
  void aFindGoesOnBelowMemoryAndSeesWhatWasFlushedMeanwhile() throws StorageException {
    event =
        () -> {
          event = () -> {};
          fixture.put("present", "2");
          fixture.index.flush();
        };
    assertEquals(Origin.DISK, fixture.index.find(present, found));
    assertEquals("2", IndexFixture.text(found.value()));
  }

  @Test
  void aKeyInMemoryIsFoundWithoutALookAtDisk() throws StorageException {
    fixture.put("present", "2");
    event = fixture.index::close;
    assertEquals(Origin.MEMORY, fixture.findOptimistically(present, found));
    assertEquals("2", IndexFixture.text(found.value()));
    fixture.index.close();
    assertNull(fixture.findOptimistically(present, found));
  }

  /** More than the bits of a number, which says what filters rule out. */
  @Test
  void everyComponentOfManyIsGlancedAt() throws StorageException {
    int components = 100;
    for (int i = 0; i < components; i++) {
      fixture.put("key " + i, "value " + i);
      fixture.index.flush();
    }
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < components; i++) {
        // The first round holds all pages of filters.
        assertEquals("value " + i, fixture.get("key " + i));
      }
    }
    for (int i = 0; i < components; i++) {
      assertEquals(Origin.DISK, fixture.findOptimistically(IndexFixture.slice("key " + i), found));
      assertEquals("value " + i, IndexFixture.text(found.value()));
      assertEquals(
          Origin.NOWHERE, fixture.findOptimistically(IndexFixture.slice("absent " + i), found));
    }
  }

  private void flushAnother() throws StorageException {
    event = () -> {};
    fixture.put("other", "3");
    fixture.index.flush();
  }

  /** Runs as the sorted runs do, whose optimistic reads are looks at which something happens. */
  private final class InterruptingFormat implements ComponentFormat<Slice> {
    private final SortedRunFormat runs = new SortedRunFormat();

    @Override
    public String name() {
      return runs.name();
    }

    @Override
    public MemoryIndex<Slice> createMemoryIndex() {
      return runs.createMemoryIndex();
    }

    @Override
    public DiskIndexBuilder createBuilder(PageFileWriter file) throws StorageException {
      return runs.createBuilder(file);
    }

    @Override
    public boolean descending(Slice predicate) {
      return runs.descending(predicate);
    }

    @Override
    public DiskIndex<Slice> open(PageFile file, int rootPage) throws StorageException {
      return new Interrupting(runs.open(file, rootPage));
    }
  }

  private final class Interrupting implements DiskIndex<Slice> {
    private final DiskIndex<Slice> run;

    Interrupting(DiskIndex<Slice> run) {
      this.run = run;
    }

    @Override
    public Lookup findOptimistically(Slice key, Entry entry) {
      try {
        Lookup outcome = run.find(key, entry) ? Lookup.FOUND : Lookup.ABSENT;
        event.happen();
        return outcome;
      } catch (StorageException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public boolean find(Slice key, Entry entry) throws StorageException {
      return run.find(key, entry);
    }

    @Override
    @SuppressWarnings("MustBeClosedChecker") // the caller closes it
    public EntryCursor search(Slice lowest) throws StorageException {
      return run.search(lowest);
    }

    @Override
    @SuppressWarnings("MustBeClosedChecker") // the caller closes it
    public EntryCursor scan() throws StorageException {
      return run.scan();
    }

    @Override
    public long verify() throws StorageException {
      return run.verify();
    }
  }
}
