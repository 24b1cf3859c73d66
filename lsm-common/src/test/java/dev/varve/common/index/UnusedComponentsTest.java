package dev.varve.common.index;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.varve.common.env.LocalFileSystem;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.maintenance.MaintenanceTask;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a component that was merged is deleted as soon as nobody reads it, and never by a reader.
 * Method: looks into the directory, and at the tasks that are left.
 */
final class UnusedComponentsTest {
  private static final List<String> MERGED = List.of("c-1-2.lsm");

  @TempDir Path directory;
  private IndexFixture fixture;

  @BeforeEach
  void flushTwoComponents() throws StorageException {
    fixture = new IndexFixture(directory);
    fixture.queue.runAtOnce();
    for (int component = 0; component < 2; component++) {
      fixture.put("key", "value " + component);
      fixture.index.flush();
    }
    fixture.queue.leave();
  }

  @AfterEach
  void verifyAndClose() throws StorageException {
    fixture.close();
  }

  private List<String> components() throws StorageException {
    return new LocalFileSystem()
        .list(fixture.directory).stream()
            .map(file -> file.getFileName().toString())
            .filter(name -> name.endsWith(".lsm"))
            .sorted()
            .toList();
  }

  private void merge() throws StorageException {
    fixture.merge(0, 2);
    MaintenanceTask merge = fixture.queue.tasks().remove(0);
    while (!merge.done()) {
      merge.step(4096);
    }
  }

  /** Has two readers stay while their components are merged, and leave one after the other. */
  private void mergeUnderReaders(Consumer<List<MaintenanceTask>> whenTheyLeft)
      throws StorageException {
    List<EntryCursor> readers = new ArrayList<>();
    for (int reader = 0; reader < 2; reader++) {
      readers.add(fixture.index.search(IndexFixture.slice("")));
    }
    merge();
    List<String> all = List.of("c-1-1.lsm", "c-1-2.lsm", "c-2-2.lsm");
    for (EntryCursor reader : readers) {
      assertEquals(List.of(), fixture.queue.tasks());
      reader.close();
      assertEquals(all, components());
    }
    whenTheyLeft.accept(fixture.queue.tasks());
    assertEquals(MERGED, components());
  }

  @Test
  void aMergeDeletesItsInputsItself() throws StorageException {
    merge();
    assertEquals(List.of(), fixture.queue.tasks());
    assertEquals(MERGED, components());
  }

  @Test
  void aReaderThatLeavesLastHasATaskDeleteThem() throws StorageException {
    mergeUnderReaders(
        tasks -> {
          assertEquals(1, tasks.size());
          run(tasks);
        });
  }

  private static void run(List<MaintenanceTask> tasks) {
    MaintenanceTask deletion = tasks.remove(0);
    try {
      while (!deletion.done()) {
        assertEquals(0, deletion.step(4096));
      }
    } catch (StorageException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aTaskThatIsCancelledDeletesThemToo() throws StorageException {
    mergeUnderReaders(tasks -> fixture.queue.cancelAll());
  }

  @Test
  void anIndexThatIsDestroyedLeavesNoneToItsTask() throws StorageException {
    EntryCursor reader = fixture.index.search(IndexFixture.slice(""));
    merge();
    reader.close();
    assertEquals(1, fixture.queue.tasks().size());
    fixture.index.destroy();
    assertEquals(List.of(), components());
    run(fixture.queue.tasks());
    fixture.open();
  }

  @Test
  void soDoesAReaderWhoseTaskNobodyTakes() throws StorageException {
    EntryCursor reader = fixture.index.search(IndexFixture.slice(""));
    merge();
    fixture.queue.refuse();
    reader.close();
    assertEquals(MERGED, components());
  }

  @Test
  void theNextReaderThatLeavesLastHasATaskAsWell() throws StorageException {
    mergeUnderReaders(UnusedComponentsTest::run);
    fixture.queue.runAtOnce();
    fixture.put("key", "value 2");
    fixture.index.flush();
    fixture.queue.leave();
    EntryCursor reader = fixture.index.search(IndexFixture.slice(""));
    merge();
    reader.close();
    assertEquals(1, fixture.queue.tasks().size());
    run(fixture.queue.tasks());
    assertEquals(List.of("c-1-3.lsm"), components());
  }
}
