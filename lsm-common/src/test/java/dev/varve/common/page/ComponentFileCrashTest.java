package dev.varve.common.page;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.FileCall;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * A power loss never leaves a sealed name on a file that is not whole, and never takes a sealed
 * file away. Method: at every operation of writing a file, all kinds of disks that a power loss
 * could leave are drawn and looked at.
 */
final class ComponentFileCrashTest {
  private static final Path DIRECTORY = Path.of("/store");
  private static final Path PATH = DIRECTORY.resolve("c-1-1.lsm");
  private static final int IMAGES = 24;
  private static final int PAGES = 60;
  private static final int PAGE_SIZE = 128;
  private static final byte[] METADATA = {7, 7, 7};

  @Test
  void aSealedNameMeansAWholeFileAtEveryCrashPoint() throws Exception {
    Seeds.run(5, this::writeAndLoseThePowerEverywhere);
  }

  private void writeAndLoseThePowerEverywhere(long seed) throws StorageException {
    RandomGenerator random = Seeds.random(seed);
    MemoryFileSystem disk = new MemoryFileSystem();
    disk.createDirectories(DIRECTORY);
    disk.forceDirectory(Path.of("/"));
    List<FileCall> calls = new ArrayList<>();
    int[] sealedImages = new int[1];
    disk.onOperation(
        operation -> {
          calls.add(operation.call());
          for (int image = 0; image < IMAGES; image++) {
            sealedImages[0] += wholeIfSealed(disk.crash(image, random)) ? 1 : 0;
          }
        });
    write(disk);
    disk.onOperation(null);
    int count = calls.size();
    assertEquals(
        List.of(FileCall.FORCE, FileCall.RENAME, FileCall.FORCEDIR),
        calls.subList(count - 3, count));
    assertTrue(calls.subList(0, count - 3).contains(FileCall.FORCE), "forced while it grows");
    assertTrue(sealedImages[0] > 0, "some images show the new name before it is certain");
    for (int image = 0; image < IMAGES; image++) {
      assertTrue(wholeIfSealed(disk.crash(image, random)));
    }
  }

  private static void write(MemoryFileSystem disk) throws StorageException {
    ComponentFileOptions options = new ComponentFileOptions(1, PAGE_SIZE, 2, 512, false, 2048);
    try (ComponentFileWriter writer = ComponentFileWriter.create(disk, PATH, options)) {
      byte[] page = new byte[3 * PAGE_SIZE];
      for (int i = 0; i < PAGES; i++) {
        page[100] = (byte) i;
        writer.append((byte) 1, page, 1 + i % 3);
      }
      writer.seal(METADATA);
    }
  }

  private static boolean wholeIfSealed(MemoryFileSystem disk) {
    if (!disk.exists(PATH)) {
      return false;
    }
    try (ComponentFile file = ComponentFile.open(disk, PATH, 1, new PageCache(1 << 16))) {
      file.verify();
      assertArrayEquals(METADATA, file.metadata());
      return true;
    } catch (StorageException e) {
      throw new AssertionError(e);
    }
  }
}
