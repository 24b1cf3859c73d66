package dev.varve.common.env;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.error.DiskException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: the adapter does what the seam says on real files. Method: one small file per behaviour.
 */
final class LocalFileSystemTest {
  @TempDir Path directory;

  private final FileSystem files = new LocalFileSystem();

  @Test
  void readsBackWhatWasWrittenAtItsPosition() throws Exception {
    byte[] content = randomBytes(3 << 20);
    try (StorageFile file = files.open(directory.resolve("f"), OpenMode.CREATE_NEW)) {
      file.write(10, content, 0, content.length);
      file.force();
      assertEquals(10 + content.length, file.size());
      byte[] read = new byte[content.length];
      assertEquals(content.length, file.read(10, read, 0, read.length));
      assertArrayEquals(content, read);
    }
    assertEquals(10 + content.length, files.size(directory.resolve("f")));
  }

  @Test
  void readsOnlyWhatIsThereAtTheEnd() throws Exception {
    try (StorageFile file = files.open(directory.resolve("f"), OpenMode.CREATE_NEW)) {
      file.write(0, new byte[] {1, 2, 3}, 0, 3);
      byte[] read = new byte[8];
      assertEquals(2, file.read(1, read, 4, 4));
      assertArrayEquals(new byte[] {0, 0, 0, 0, 2, 3, 0, 0}, read);
      assertEquals(0, file.read(3, read, 0, 4));
      assertEquals(0, file.read(100, read, 0, 4));
    }
  }

  @Test
  void opensOnlyAsTheModeSays() throws Exception {
    Path path = directory.resolve("f");
    assertThrows(DiskException.class, () -> files.open(path, OpenMode.READ_WRITE).close());
    assertThrows(DiskException.class, () -> files.open(path, OpenMode.READ_ONLY).close());
    files.open(path, OpenMode.CREATE_NEW).close();
    DiskException taken =
        assertThrows(DiskException.class, () -> files.open(path, OpenMode.CREATE_NEW).close());
    assertTrue(taken.getMessage().startsWith("open " + path), taken::getMessage);
  }

  @Test
  void truncateShortensAndRefusesToLengthen() throws Exception {
    try (StorageFile file = files.open(directory.resolve("f"), OpenMode.CREATE_NEW)) {
      file.write(0, new byte[100], 0, 100);
      file.truncate(40);
      assertEquals(40, file.size());
      assertThrows(IllegalArgumentException.class, () -> file.truncate(41));
    }
  }

  @Test
  void useAfterCloseIsTheCallersMistake() throws Exception {
    StorageFile file = files.open(directory.resolve("f"), OpenMode.CREATE_NEW);
    file.close();
    file.close();
    assertThrows(IllegalStateException.class, () -> file.write(0, new byte[1], 0, 1));
    assertThrows(IllegalStateException.class, () -> file.read(0, new byte[1], 0, 1));
    assertThrows(IllegalStateException.class, file::size);
    assertThrows(IllegalStateException.class, file::force);
    assertThrows(IllegalStateException.class, () -> file.truncate(0));
  }

  @Test
  void renameReplacesTheTargetAndAnOpenFileFollows() throws Exception {
    Path building = directory.resolve("c.building");
    Path target = directory.resolve("c.lsm");
    Files.writeString(target, "old");
    try (StorageFile file = files.open(building, OpenMode.CREATE_NEW)) {
      file.write(0, "new".getBytes(StandardCharsets.UTF_8), 0, 3);
      files.rename(building, target);
      files.forceDirectory(directory);
      file.write(3, "er".getBytes(StandardCharsets.UTF_8), 0, 2);
    }
    assertFalse(files.exists(building));
    assertEquals("newer", Files.readString(target));
  }

  @Test
  void listsByNameAndDeletes() throws Exception {
    files.createDirectories(directory.resolve("d/e"));
    Files.writeString(directory.resolve("d/b"), "");
    Files.writeString(directory.resolve("d/a"), "");
    Path d = directory.resolve("d");
    assertEquals(List.of(d.resolve("a"), d.resolve("b"), d.resolve("e")), files.list(d));
    assertThrows(DiskException.class, () -> files.delete(d));
    files.delete(d.resolve("e"));
    files.delete(d.resolve("b"));
    assertEquals(List.of(d.resolve("a")), files.list(d));
    DiskException absent =
        assertThrows(DiskException.class, () -> files.delete(directory.resolve("x")));
    assertTrue(absent.getCause() instanceof NoSuchFileException);
    assertThrows(DiskException.class, () -> files.list(directory.resolve("x")));
    assertThrows(DiskException.class, () -> files.size(directory.resolve("x")));
    assertTrue(files.usableBytes(directory) > 0);
    assertThrows(DiskException.class, () -> files.usableBytes(directory.resolve("x")));
  }

  @Test
  void refusesSymbolicLinksInsideADirectory() throws Exception {
    Path real = Files.writeString(directory.resolve("real"), "content");
    Path inside = Files.createDirectory(directory.resolve("inside"));
    Path link = Files.createSymbolicLink(inside.resolve("link"), real);
    assertThrows(DiskException.class, () -> files.open(link, OpenMode.READ_ONLY).close());
    assertThrows(DiskException.class, () -> files.open(link, OpenMode.READ_WRITE).close());
    DiskException refused = assertThrows(DiskException.class, () -> files.list(inside));
    assertTrue(refused.getMessage().contains("symbolic link"), refused::getMessage);
    Path throughLink = Files.createSymbolicLink(directory.resolve("alias"), inside);
    Files.delete(link);
    files.open(throughLink.resolve("f"), OpenMode.CREATE_NEW).close();
    files.forceDirectory(throughLink);
    assertTrue(files.exists(inside.resolve("f")));
  }

  /** An interrupt that is pending, and interrupts that arrive in the middle of calls. */
  @Test
  void interruptsNeverCloseAFileAndStayVisible() throws Exception {
    Thread caller = Thread.currentThread();
    AtomicBoolean enough = new AtomicBoolean();
    CountDownLatch ended = new CountDownLatch(1);
    Thread interrupter =
        new Thread(
            () -> {
              while (!enough.get()) {
                caller.interrupt();
              }
              ended.countDown();
            },
            "interrupter");
    byte[] content = randomBytes(1 << 16);
    byte[] read = new byte[content.length];
    interrupter.start();
    try (StorageFile file = files.open(directory.resolve("f"), OpenMode.CREATE_NEW)) {
      caller.interrupt();
      file.write(0, content, 0, content.length);
      assertTrue(Thread.interrupted(), "the flag is still set");
      for (int i = 0; i < 200; i++) {
        file.write((long) i * content.length, content, 0, content.length);
        assertEquals(content.length, file.read((long) i * content.length, read, 0, read.length));
        assertArrayEquals(content, read);
        Thread.interrupted();
      }
      file.force();
      files.forceDirectory(directory);
      enough.set(true);
      awaitEnd(ended);
      caller.interrupt();
      file.map(0, content.length).close();
      assertTrue(Thread.interrupted(), "mapping leaves the flag set");
      assertEquals(200L * content.length, file.size());
    } finally {
      enough.set(true);
      awaitEnd(ended);
      Thread.interrupted();
    }
  }

  @Test
  void mappedPutsAreInTheFileAtOnce() throws Exception {
    byte[] content = randomBytes(5000);
    try (StorageFile file = files.open(directory.resolve("log"), OpenMode.CREATE_NEW)) {
      file.write(0, new byte[1 << 16], 0, 1 << 16);
      file.force();
      MappedRegion region = file.map(4096, 8192);
      region.put(100, content, 0, content.length);
      region.force(100, content.length);
      byte[] read = new byte[content.length];
      file.read(4196, read, 0, read.length);
      assertArrayEquals(content, read);
      assertThrows(IndexOutOfBoundsException.class, () -> region.put(8000, content, 0, 193));
      region.close();
      region.close();
      assertThrows(IllegalStateException.class, () -> region.put(0, content, 0, 1));
      assertThrows(IllegalStateException.class, () -> region.force(0, 1));
    }
  }

  @Test
  void aRegionOutlivesItsFile() throws Exception {
    Path path = directory.resolve("log");
    StorageFile file = files.open(path, OpenMode.CREATE_NEW);
    file.write(0, new byte[4096], 0, 4096);
    try (MappedRegion region = file.map(0, 4096)) {
      file.close();
      region.put(4095, new byte[] {7}, 0, 1);
      region.force(0, 4096);
    }
    assertEquals(7, Files.readAllBytes(path)[4095]);
  }

  @Test
  void mapsOnlyWhatWasWrittenAndOnlyUnderItsName() throws Exception {
    Path path = directory.resolve("log");
    try (StorageFile file = files.open(path, OpenMode.CREATE_NEW)) {
      file.write(0, new byte[4096], 0, 4096);
      assertThrows(IllegalArgumentException.class, () -> file.map(0, 4097).close());
      files.rename(path, directory.resolve("renamed"));
      Files.write(path, new byte[4096]);
      DiskException replaced = assertThrows(DiskException.class, () -> file.map(0, 4096).close());
      assertTrue(replaced.getMessage().contains("renamed"), replaced::getMessage);
    }
  }

  private static byte[] randomBytes(int length) {
    byte[] bytes = new byte[length];
    SplittableRandom random = new SplittableRandom(42);
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) random.nextInt();
    }
    return Arrays.copyOf(bytes, length);
  }

  private static void awaitEnd(CountDownLatch end) {
    while (end.getCount() > 0) {
      try {
        end.await();
      } catch (InterruptedException again) {
        // The thread that is waited for is the one that interrupts.
      }
    }
  }
}
