package dev.varve.common.env;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.error.DiskException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
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
