package dev.varve.common.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Crc32c;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.FormatVersionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A component file that is not what was written is refused with a typed error, wherever it is
 * damaged and however it is read. Method: every bit of a small file is flipped, the file is cut at
 * every length, and pages are put where other pages belong.
 */
final class ComponentFileCorruptionTest {
  private static final Path DIRECTORY = Path.of("/store");
  private static final Path PATH = DIRECTORY.resolve("c-1-1.lsm");
  private static final Path OTHER = DIRECTORY.resolve("c-2-2.lsm");
  private static final int PAGE_SIZE = 128;
  private static final int[] UNITS = {1, 3, 1, 2};
  private static final long STORE = 7;

  private MemoryFileSystem disk = new MemoryFileSystem();
  private final PageCache cache = new PageCache(1 << 20);

  @BeforeEach
  void writeTwoFiles() throws StorageException {
    disk.createDirectories(DIRECTORY);
    write(PATH, 8);
    write(OTHER, 9);
  }

  @Test
  void everyFlippedBitIsFoundAsCorruptionByPinsScansAndVerify() throws StorageException {
    long bits = disk.size(PATH) * Byte.SIZE;
    readAll();
    for (long bit = 0; bit < bits; bit++) {
      disk.damage(PATH, bit / Byte.SIZE, 1 << (bit % Byte.SIZE));
      requireRefused("bit " + bit);
      disk.damage(PATH, bit / Byte.SIZE, 1 << (bit % Byte.SIZE));
    }
    readAll();
  }

  @Test
  void everyCutAndEveryTailIsRefused() throws StorageException {
    byte[] whole = disk.content(PATH);
    for (int size = 0; size < whole.length; size++) {
      show(Arrays.copyOf(whole, size));
      requireRefused("cut to " + size);
    }
    for (int more : new int[] {1, PAGE_SIZE - 1, PAGE_SIZE, 2 * PAGE_SIZE}) {
      show(Arrays.copyOf(whole, whole.length + more));
      requireRefused("longer by " + more);
    }
  }

  @Test
  void arbitraryDamageOfManyBytesIsRefused() throws StorageException {
    RandomGenerator random = Seeds.random(Seeds.one(5));
    byte[] whole = disk.content(PATH);
    for (int round = 0; round < 2_000; round++) {
      byte[] damaged = whole.clone();
      int from = random.nextInt(damaged.length);
      int to = Math.min(damaged.length, from + 1 + random.nextInt(300));
      for (int i = from; i < to; i++) {
        damaged[i] = (byte) random.nextInt();
      }
      if (!Arrays.equals(whole, damaged)) {
        show(damaged);
        requireRefused("bytes " + from + " to " + to);
      }
    }
  }

  @Test
  void aPageInAnotherPagesPlaceIsRefused() throws StorageException {
    byte[] content = disk.content(PATH);
    System.arraycopy(content, PAGE_SIZE, content, 5 * PAGE_SIZE, PAGE_SIZE);
    show(content);
    requireRefused("page 1 where page 5 belongs");
  }

  @Test
  void aPageOfAnotherFileIsRefused() throws StorageException {
    byte[] content = disk.content(PATH);
    System.arraycopy(disk.content(OTHER), PAGE_SIZE, content, PAGE_SIZE, PAGE_SIZE);
    show(content);
    requireRefused("page 1 of another file");
  }

  @Test
  void aFileOfAnotherStoreIsRefused() {
    CorruptionException refused =
        assertThrows(
            CorruptionException.class,
            () -> ComponentFile.open(disk, PATH, STORE + 1, new PageCache(0)));
    assertEquals(ComponentFileLayout.STORE_ID, refused.offset());
    assertEquals(PATH.toString(), refused.file());
  }

  @Test
  void aNewerFormatIsRefusedUnlessItSaysThatThisVersionMayReadIt() throws StorageException {
    byte[] content = disk.content(PATH);
    Bytes.putShort(content, ComponentFileLayout.VERSION, 2);
    sealHeader(content);
    show(content);
    readAll();
    Bytes.putShort(content, ComponentFileLayout.OLDEST_READER, 2);
    sealHeader(content);
    show(content);
    FormatVersionException refused =
        assertThrows(
            FormatVersionException.class,
            () -> ComponentFile.open(disk, PATH, STORE, new PageCache(0)));
    assertTrue(refused.getMessage().contains("format version 2"), refused.getMessage());
  }

  @Test
  void lengthsThatDoNotFitAreRefusedBeforeAnythingIsAllocated() throws StorageException {
    byte[] content = disk.content(PATH);
    for (int pageSize : new int[] {0, -1, 64, 129, 1 << 21, Integer.MIN_VALUE}) {
      Bytes.putInt(content, ComponentFileLayout.PAGE_SIZE, pageSize);
      sealHeader(content);
      show(content);
      requireRefused("page size " + pageSize);
    }
    Bytes.putInt(content, ComponentFileLayout.PAGE_SIZE, PAGE_SIZE);
    sealHeader(content);
    for (int units : new int[] {0, -1, 9, 256, Integer.MAX_VALUE}) {
      Bytes.putInt(content, content.length - ComponentFileLayout.UNITS_FROM_END, units);
      show(content);
      requireRefused("metadata of " + units + " units");
    }
    Bytes.putInt(content, content.length - ComponentFileLayout.UNITS_FROM_END, 1);
    int last = content.length / PAGE_SIZE - 1;
    for (int length : new int[] {-1, 97, Integer.MAX_VALUE}) {
      Bytes.putInt(content, last * PAGE_SIZE + ComponentFileLayout.METADATA_LENGTH, length);
      sealPage(content, last);
      show(content);
      requireRefused("metadata of " + length + " bytes");
    }
  }

  @Test
  void aPageWithoutTheValidityBitIsRefused() throws StorageException {
    byte[] content = disk.content(PATH);
    int last = content.length / PAGE_SIZE - 1;
    content[last * PAGE_SIZE + ComponentFileLayout.VALIDITY] = 0;
    sealPage(content, last);
    show(content);
    requireRefused("no validity bit");
  }

  /** Replaces the disk by one whose file has these bytes. */
  private void show(byte[] content) throws StorageException {
    disk = new MemoryFileSystem();
    disk.createDirectories(DIRECTORY);
    try (StorageFile file = disk.open(PATH, OpenMode.CREATE_NEW)) {
      file.write(0, content, 0, content.length);
    }
  }

  private static void sealHeader(byte[] content) {
    Bytes.putInt(
        content,
        ComponentFileLayout.HEADER_CRC,
        Crc32c.of(content, 0, ComponentFileLayout.HEADER_CRC));
  }

  private static void sealPage(byte[] content, int number) {
    int start = number * PAGE_SIZE;
    Bytes.putInt(
        content,
        start,
        new Crc32c()
            .update(content, start + PageLayout.KIND, PAGE_SIZE - PageLayout.KIND)
            .updateLong(8)
            .updateInt(number)
            .value());
  }

  private void write(Path path, long fileId) throws StorageException {
    try (ComponentFileWriter writer =
        ComponentFileWriter.create(disk, path, ComponentFileOptions.of(STORE, PAGE_SIZE, fileId))) {
      for (int units : UNITS) {
        byte[] page = new byte[units * PAGE_SIZE];
        Arrays.fill(page, (byte) fileId);
        writer.append((byte) 1, page, units);
      }
      writer.seal(new byte[96]);
    }
  }

  /** Every way of reading must refuse by itself: each is all that some caller uses. */
  private void requireRefused(String damage) {
    for (int way = 0; way < 4; way++) {
      int chosen = way;
      StorageException refused =
          assertThrows(
              StorageException.class, () -> readAll(chosen), () -> damage + " way " + chosen);
      assertTrue(
          refused instanceof CorruptionException || refused instanceof FormatVersionException,
          () -> damage + ": " + refused);
    }
  }

  private void readAll() throws StorageException {
    for (int way = 0; way < 4; way++) {
      readAll(way);
    }
  }

  private void readAll(int way) throws StorageException {
    try (ComponentFile file = ComponentFile.open(disk, PATH, STORE, cache)) {
      if (way == 3) {
        file.verify();
        return;
      }
      PageFile.SequentialReader sequential = file.sequentialReader(300);
      int number = 1;
      for (int units : UNITS) {
        if (way == 0) {
          file.pin(number).close();
        } else if (way == 1) {
          file.readUncached(number, Bytes.EMPTY);
        } else {
          sequential.read(number, Bytes.EMPTY);
        }
        number += units;
      }
    }
  }
}
