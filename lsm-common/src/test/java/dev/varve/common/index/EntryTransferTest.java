package dev.varve.common.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.ComponentFormat;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.SortedRunFormat;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: a kind that takes what flushes and merges bring in its own way is handed their scans, with
 * what is deleted, and when that fails nothing is lost. Method: a kind that counts. That such an
 * index holds the right entries, whatever happens, is {@link DeletedKeysModelTest}'s.
 */
final class EntryTransferTest {
  private static final Path ROOT = Path.of("/node");

  private final MemoryFileSystem files = new MemoryFileSystem();
  private final TransferringFormat format =
      new TransferringFormat(SortedRunFormat.withDeletedKeys());

  @BeforeEach
  void makeRoot() throws StorageException {
    files.createDirectories(ROOT);
  }

  private IndexFixture open(ComponentFormat<Slice> opened) throws StorageException {
    return new IndexFixture(ROOT, files, opened);
  }

  private static void twoComponents(IndexFixture fixture) throws StorageException {
    for (int i = 0; i < 10; i++) {
      fixture.put("red/" + i, "");
    }
    fixture.index.flush();
    fixture.delete("red/3");
    fixture.put("blue/3", "");
    fixture.put("blue/4x", "");
    fixture.delete("blue/4x");
    fixture.index.flush();
  }

  private static final List<String> ENTRIES =
      List.of(
          "blue/3=", "red/0=", "red/1=", "red/2=", "red/4=", "red/5=", "red/6=", "red/7=", "red/8=",
          "red/9=");

  @Test
  void flushesAndMergesAreTransferred() throws StorageException {
    try (IndexFixture fixture = open(format)) {
      twoComponents(fixture);
      assertEquals(2, format.asked);
      assertEquals(11, format.transferred);
      assertEquals(ENTRIES, fixture.scan());
      fixture.merge(0, 2);
      assertEquals(3, format.asked);
      assertEquals(11 + 10, format.transferred);
      assertEquals(0, format.added);
      assertEquals(ENTRIES, fixture.scan());
      assertEquals(10, fixture.index.contents().verify());
    }
  }

  @Test
  void aKindWithAntimatterIsNotAsked() throws StorageException {
    TransferringFormat antimatter = new TransferringFormat(new SortedRunFormat());
    try (IndexFixture fixture = open(antimatter)) {
      twoComponents(fixture);
      fixture.merge(0, 2);
      assertEquals(0, antimatter.asked);
      assertTrue(antimatter.added > 0);
      assertEquals(ENTRIES, fixture.scan());
    }
  }

  @Test
  void aFlushThatFailsCanBeRepeated() throws StorageException {
    try (IndexFixture fixture = open(format)) {
      fixture.queue.leave();
      for (int i = 0; i < 10; i++) {
        fixture.put("red/" + i, "");
      }
      format.failsAfter = 5;
      fixture.index.seal();
      assertThrows(IllegalStateException.class, fixture.queue::runAll);
      assertNotNull(fixture.index.state().flushFailure());
      assertEquals(List.of(), fixture.components());
      assertEquals(10, fixture.scan().size());
      format.failsAfter = Integer.MAX_VALUE;
      fixture.index.retryFlush();
      fixture.queue.runAll();
      assertEquals(List.of("1-1"), fixture.components());
      assertEquals(10, fixture.scan().size());
    }
  }

  @Test
  void aMergeThatFailsLeavesItsInputs() throws StorageException {
    try (IndexFixture fixture = open(format)) {
      twoComponents(fixture);
      fixture.queue.leave();
      format.failsAfter = format.transferred + 4;
      fixture.merge(0, 2);
      assertThrows(IllegalStateException.class, fixture.queue::runAll);
      assertEquals(List.of("1-1", "2-2"), fixture.components());
      assertEquals(ENTRIES, fixture.scan());
      format.failsAfter = Integer.MAX_VALUE;
      fixture.merge(0, 2);
      fixture.queue.runAll();
      assertEquals(List.of("1-2"), fixture.components());
      assertEquals(ENTRIES, fixture.scan());
    }
  }
}
