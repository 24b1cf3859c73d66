package dev.varve.common.page;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.FaultyFileSystem;
import dev.varve.common.testkit.FileCall;
import dev.varve.common.testkit.MemoryFileSystem;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A disk that refuses or lies while a component file is written or read leaves no file behind, no
 * file open, and no wrong page in anybody's hands. Method: every call fails in turn.
 */
final class ComponentFileFaultTest {
  private static final Path DIRECTORY = Path.of("/store");
  private static final Path PATH = DIRECTORY.resolve("c-1-1.lsm");
  private static final int PAGE_SIZE = 128;
  private static final int PAGES = 40;

  private final MemoryFileSystem disk = new MemoryFileSystem();
  private final FaultyFileSystem files = new FaultyFileSystem(disk);

  @BeforeEach
  void makeDirectory() throws StorageException {
    disk.createDirectories(DIRECTORY);
  }

  @AfterEach
  void nothingStaysOpen() {
    files.assertNothingOpen();
  }

  @ParameterizedTest
  @ValueSource(strings = {"EIO", "ENOSPC", "OOM"})
  void whateverCallFailsWhileWritingNothingIsLeftBehind(String fault) throws StorageException {
    long calls = countCalls();
    for (int call = 1; call <= calls; call++) {
      files.setPlan("any * " + call + " " + fault);
      Throwable thrown = assertThrows(Throwable.class, this::write);
      assertTrue(
          thrown instanceof DiskException || thrown instanceof OutOfMemoryError, thrown::toString);
      assertEquals(List.of(), disk.list(DIRECTORY), "call " + call);
    }
  }

  @Test
  void afterAFailureTheWriterRefusesWithTheFirstCause() throws StorageException {
    try (ComponentFileWriter writer = create()) {
      files.setPlan("write * 1 EIO");
      byte[] page = new byte[PAGE_SIZE];
      DiskException first = null;
      for (int i = 0; first == null; i++) {
        try {
          writer.append((byte) 1, page, 1);
        } catch (DiskException e) {
          first = e;
        }
        assertTrue(i < 1000);
      }
      assertSame(first, assertThrows(DiskException.class, () -> writer.append((byte) 1, page, 1)));
      assertSame(first, assertThrows(DiskException.class, () -> writer.seal(page)));
    }
    assertEquals(List.of(), disk.list(DIRECTORY));
  }

  @ParameterizedTest
  @ValueSource(strings = {"LOST", "FLIP 1000", "SHIFT 128", "SHIFT 3"})
  void aWriteThatTheDiskGotWrongIsFoundWhenItIsRead(String fault) throws StorageException {
    int writes = countWrites();
    for (int call = 1; call <= writes; call++) {
      files.setPlan("write * " + call + " " + fault);
      int before = files.faultCount();
      write();
      assertEquals(before + 1, files.faultCount());
      assertThrows(CorruptionException.class, this::read, "write " + call);
      disk.delete(PATH);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"EIO", "OOM", "FLIP 333", "SHORT 5"})
  void aReadThatFailsOrLiesIsReportedAndTheNextOneIsGood(String fault) throws StorageException {
    write();
    long before = files.callCount();
    read();
    long calls = files.callCount() - before;
    for (int call = 1; call <= calls; call++) {
      files.setPlan("any * " + call + " " + fault);
      int faults = files.faultCount();
      try {
        read();
        // Only a call that reads no bytes passes a plan that is about bytes.
        assertEquals(faults, files.faultCount());
      } catch (DiskException | CorruptionException | OutOfMemoryError e) {
        assertTrue(files.faultCount() > faults, e::toString);
      }
      files.setPlan("");
      read();
    }
  }

  @Test
  void aFullDiskIsReportedAndTheSpaceComesBack() throws StorageException {
    disk.setCapacityBytes(PAGES * PAGE_SIZE / 2);
    assertThrows(DiskException.class, this::write);
    assertEquals(List.of(), disk.list(DIRECTORY));
    assertEquals(PAGES * PAGE_SIZE / 2, disk.usableBytes(DIRECTORY));
  }

  @Test
  void metadataIsBoundedByTheLongestPage() throws StorageException {
    int most = PageLayout.MAX_UNITS * PAGE_SIZE - 32;
    byte[] metadata = new byte[most];
    Arrays.fill(metadata, (byte) 3);
    try (ComponentFileWriter writer = create()) {
      assertThrows(LimitException.class, () -> writer.seal(new byte[most + 1]));
      writer.seal(metadata);
      assertThrows(IllegalStateException.class, () -> writer.seal(metadata));
      assertThrows(
          IllegalStateException.class, () -> writer.append((byte) 1, new byte[PAGE_SIZE], 1));
    }
    try (ComponentFile file = ComponentFile.open(files, PATH, 1, new PageCache(0))) {
      assertArrayEquals(metadata, file.metadata());
      assertEquals(files.size(PATH), file.sizeBytes());
    }
  }

  @Test
  void pagesThatAreNoPagesAreRefused() throws StorageException {
    try (ComponentFileWriter writer = create()) {
      byte[] page = new byte[2 * PAGE_SIZE];
      for (int units : new int[] {-1, 0, 3, 256}) {
        assertThrows(IllegalArgumentException.class, () -> writer.append((byte) 1, page, units));
      }
      assertEquals(1, writer.nextPage());
      assertEquals(PAGE_SIZE, writer.writtenBytes());
    }
    assertThrows(
        IllegalArgumentException.class,
        () ->
            ComponentFileWriter.create(
                files, DIRECTORY.resolve("c-1-1"), ComponentFileOptions.of(1, PAGE_SIZE, 2)));
    for (int pageSize : new int[] {0, 64, 100, 192, 1 << 21}) {
      assertThrows(IllegalArgumentException.class, () -> ComponentFileOptions.of(1, pageSize, 2));
    }
  }

  private long countCalls() throws StorageException {
    long before = files.callCount();
    write();
    disk.delete(PATH);
    return files.callCount() - before;
  }

  private int countWrites() throws StorageException {
    long[] count = new long[1];
    disk.onOperation(
        operation -> {
          if (operation.call() == FileCall.WRITE) {
            count[0]++;
          }
        });
    write();
    disk.onOperation(null);
    disk.delete(PATH);
    return (int) count[0];
  }

  private ComponentFileWriter create() throws StorageException {
    return ComponentFileWriter.create(
        files,
        PATH,
        new ComponentFileOptions(1, PAGE_SIZE, 2, 4 * PAGE_SIZE, false, 10 * PAGE_SIZE));
  }

  private void write() throws StorageException {
    try (ComponentFileWriter writer = create()) {
      byte[] page = new byte[6 * PAGE_SIZE];
      for (int i = 0; i < PAGES; i++) {
        Arrays.fill(page, (byte) (i + 1));
        writer.append((byte) 1, page, i == 7 ? 6 : 1);
      }
      writer.seal(new byte[] {1});
    }
  }

  private void read() throws StorageException {
    PageCache cache = new PageCache(20 * PAGE_SIZE);
    try (ComponentFile file = ComponentFile.open(files, PATH, 1, cache)) {
      file.verify();
      int number = 1;
      for (int i = 0; i < PAGES; i++) {
        byte[] bytes = file.readUncached(number, new byte[0]);
        assertEquals((byte) (i + 1), bytes[PAGE_SIZE - 1]);
        try (PageFile.Page page = file.pin(number)) {
          int end = page.at() + bytes.length;
          assertArrayEquals(bytes, Arrays.copyOfRange(page.bytes(), page.at(), end));
        }
        number += i == 7 ? 6 : 1;
      }
    } finally {
      assertTrue(cache.stats().bytes() <= 20 * PAGE_SIZE);
    }
  }
}
