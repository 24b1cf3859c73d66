package dev.varve.common.env;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.env.FileSystem.DirectoryLock;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.DiskException;
import dev.varve.common.testkit.FaultyFileSystem;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: what a test learns on a simulated disk holds on a real one. Method: the same calls on both,
 * each also through the wrapper that finds leaks.
 */
final class FileSystemContractTest {
  /** The file systems that must agree. */
  enum Kind {
    LOCAL,
    MEMORY,
    WRAPPED_LOCAL,
    WRAPPED_MEMORY,
    OVERLAY
  }

  @TempDir Path directory;

  private FileSystem files;

  @AfterEach
  void nothingIsLeftOpen() {
    if (files instanceof FaultyFileSystem faulty) {
      faulty.assertNothingOpen();
    }
  }

  private void use(Kind kind) throws Exception {
    FileSystem inner =
        kind == Kind.LOCAL || kind == Kind.WRAPPED_LOCAL || kind == Kind.OVERLAY
            ? new LocalFileSystem()
            : new MemoryFileSystem();
    inner.createDirectories(directory);
    files =
        switch (kind) {
          case LOCAL, MEMORY -> inner;
          case WRAPPED_LOCAL, WRAPPED_MEMORY -> new FaultyFileSystem(inner);
          case OVERLAY -> new OverlayFileSystem(inner);
        };
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aLinkStaysWhenTheFirstNameIsDeleted(Kind kind) throws Exception {
    use(kind);
    Path first = directory.resolve("first");
    Path second = directory.resolve("second");
    byte[] bytes = new byte[3_000_000];
    Arrays.fill(bytes, (byte) 7);
    try (StorageFile file = files.open(first, OpenMode.CREATE_NEW)) {
      file.write(0, bytes, 0, bytes.length);
      file.force();
    }
    files.link(first, second);
    assertEquals(
        FileAlreadyExistsException.class,
        assertThrows(DiskException.class, () -> files.link(first, second)).getCause().getClass());
    files.delete(first);
    assertEquals(
        NoSuchFileException.class,
        assertThrows(DiskException.class, () -> files.link(first, directory.resolve("third")))
            .getCause()
            .getClass());
    byte[] found = new byte[bytes.length + 1];
    try (StorageFile file = files.open(second, OpenMode.READ_ONLY)) {
      assertEquals(bytes.length, file.read(0, found, 0, found.length));
    }
    assertArrayEquals(bytes, Arrays.copyOf(found, bytes.length));
  }

  @ParameterizedTest
  @EnumSource
  void readsBackWhatWasWrittenAtItsPosition(Kind kind) throws Exception {
    use(kind);
    byte[] content = randomBytes(3 << 20);
    try (StorageFile file = files.open(directory.resolve("f"), OpenMode.CREATE_NEW)) {
      assertEquals(directory.resolve("f"), file.path());
      file.write(10, content, 0, content.length);
      file.force();
      assertEquals(10 + content.length, file.size());
      byte[] read = new byte[content.length];
      assertEquals(content.length, file.read(10, read, 0, read.length));
      assertArrayEquals(content, read);
    }
    assertEquals(10 + content.length, files.size(directory.resolve("f")));
    try (StorageFile file = files.open(directory.resolve("f"), OpenMode.READ_ONLY)) {
      assertThrows(NonWritableChannelException.class, () -> file.write(0, new byte[1], 0, 1));
      byte[] read = new byte[10];
      assertEquals(10, file.read(0, read, 0, 10));
      assertArrayEquals(new byte[10], read, "a gap reads as zeros");
    }
  }

  @ParameterizedTest
  @EnumSource
  void writesDirectlyWhatIsOfWholeBlocks(Kind kind) throws Exception {
    use(kind);
    int block = FileSystem.DIRECT_BLOCK_BYTES;
    // Longer than a buffer, and from a place in the array where no block begins.
    byte[] content = randomBytes(1 + 300 * block);
    Path path = directory.resolve("f");
    try (StorageFile file = files.open(path, OpenMode.CREATE_NEW_DIRECT)) {
      file.write(0, content, 1, 290 * block);
      file.write(290L * block, content, 1 + 290 * block, 10 * block);
      file.force();
      assertEquals(300L * block, file.size());
      assertThrows(
          NonReadableChannelException.class, () -> file.read(0, new byte[block], 0, block));
      assertThrows(IllegalArgumentException.class, () -> file.write(1, content, 0, block));
      assertThrows(IllegalArgumentException.class, () -> file.write(0, content, 0, block - 1));
    }
    try (StorageFile file = files.open(path, OpenMode.READ_ONLY)) {
      byte[] read = new byte[300 * block];
      assertEquals(read.length, file.read(0, read, 0, read.length));
      assertArrayEquals(Arrays.copyOfRange(content, 1, content.length), read);
    }
    assertThrows(DiskException.class, () -> files.open(path, OpenMode.CREATE_NEW_DIRECT).close());
    assertEquals(300L * block, files.size(path), "a file that is in the way is left alone");
  }

  @ParameterizedTest
  @EnumSource
  void readsDirectlyFromAnyPlace(Kind kind) throws Exception {
    use(kind);
    // Longer than a buffer, and no end of a block.
    byte[] content = randomBytes(200 * FileSystem.DIRECT_BLOCK_BYTES + 77);
    Path path = directory.resolve("f");
    try (StorageFile file = files.open(path, OpenMode.CREATE_NEW)) {
      file.write(0, content, 0, content.length);
    }
    assertThrows(
        DiskException.class,
        () -> files.open(directory.resolve("absent"), OpenMode.READ_ONLY_DIRECT).close());
    try (StorageFile file = files.open(path, OpenMode.READ_ONLY_DIRECT)) {
      assertThrows(NonWritableChannelException.class, () -> file.write(0, new byte[1], 0, 1));
      byte[] read = new byte[content.length + 10];
      for (int from : new int[] {0, 1, 4095, 4096, 5000, content.length - 1, content.length}) {
        for (int length : new int[] {0, 1, 4096, 8191, content.length}) {
          int expected = Math.min(length, content.length - from);
          assertEquals(expected, file.read(from, read, 3, length), from + " " + length);
          assertArrayEquals(
              Arrays.copyOfRange(content, from, from + expected),
              Arrays.copyOfRange(read, 3, 3 + expected),
              () -> from + " " + length);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void readsOnlyWhatIsThereAtTheEnd(Kind kind) throws Exception {
    use(kind);
    try (StorageFile file = files.open(directory.resolve("f"), OpenMode.CREATE_NEW)) {
      file.write(0, new byte[] {1, 2, 3}, 0, 3);
      byte[] read = new byte[8];
      assertEquals(2, file.read(1, read, 4, 4));
      assertArrayEquals(new byte[] {0, 0, 0, 0, 2, 3, 0, 0}, read);
      assertEquals(0, file.read(3, read, 0, 4));
      assertEquals(0, file.read(100, read, 0, 4));
      assertEquals(0, file.read(0, read, 0, 0));
      assertThrows(IndexOutOfBoundsException.class, () -> file.read(0, read, 4, 5));
      assertThrows(IndexOutOfBoundsException.class, () -> file.write(0, read, -1, 5));
      assertThrows(IllegalArgumentException.class, () -> file.read(-1, read, 0, 1));
      assertThrows(IllegalArgumentException.class, () -> file.write(-1, read, 0, 1));
    }
  }

  @ParameterizedTest
  @EnumSource
  void prefetchesWhatIsThereAndChangesNothing(Kind kind) throws Exception {
    use(kind);
    byte[] content = randomBytes(5000);
    Path path = directory.resolve("f");
    try (StorageFile file = files.open(path, OpenMode.CREATE_NEW)) {
      file.write(0, content, 0, content.length);
    }
    try (StorageFile file = files.open(path, OpenMode.READ_ONLY)) {
      file.prefetch(0, content.length);
      file.prefetch(4990, 1 << 20);
      file.prefetch(1 << 20, 1);
      Thread.currentThread().interrupt();
      file.prefetch(0, content.length);
      assertTrue(Thread.interrupted(), "the flag is the caller's");
      byte[] read = new byte[content.length];
      assertEquals(content.length, file.read(0, read, 0, read.length));
      assertArrayEquals(content, read);
    }
  }

  @ParameterizedTest
  @EnumSource
  void opensOnlyAsTheModeSays(Kind kind) throws Exception {
    use(kind);
    Path path = directory.resolve("f");
    assertThrows(DiskException.class, () -> files.open(path, OpenMode.READ_WRITE).close());
    assertThrows(DiskException.class, () -> files.open(path, OpenMode.READ_ONLY).close());
    assertFalse(files.exists(path));
    files.open(path, OpenMode.CREATE_NEW).close();
    assertTrue(files.exists(path));
    DiskException taken =
        assertThrows(DiskException.class, () -> files.open(path, OpenMode.CREATE_NEW).close());
    assertTrue(taken.getMessage().startsWith("open " + path), taken::getMessage);
    assertTrue(taken.getCause() instanceof FileAlreadyExistsException);
    assertThrows(
        DiskException.class,
        () -> files.open(directory.resolve("absent/f"), OpenMode.CREATE_NEW).close());
  }

  @ParameterizedTest
  @EnumSource
  void truncateShortensAndRefusesToLengthen(Kind kind) throws Exception {
    use(kind);
    try (StorageFile file = files.open(directory.resolve("f"), OpenMode.CREATE_NEW)) {
      file.write(0, randomBytes(100), 0, 100);
      file.truncate(40);
      assertEquals(40, file.size());
      assertThrows(IllegalArgumentException.class, () -> file.truncate(41));
      assertThrows(IllegalArgumentException.class, () -> file.truncate(-1));
      file.write(60, new byte[] {1}, 0, 1);
      byte[] read = new byte[20];
      file.read(40, read, 0, 20);
      assertArrayEquals(new byte[20], read, "what was cut does not come back");
    }
  }

  @ParameterizedTest
  @EnumSource
  void useAfterCloseIsTheCallersMistake(Kind kind) throws Exception {
    use(kind);
    StorageFile file = files.open(directory.resolve("f"), OpenMode.CREATE_NEW);
    file.close();
    file.close();
    assertThrows(IllegalStateException.class, () -> file.write(0, new byte[1], 0, 1));
    assertThrows(IllegalStateException.class, () -> file.read(0, new byte[1], 0, 1));
    assertThrows(IllegalStateException.class, () -> file.prefetch(0, 1));
    assertThrows(IllegalStateException.class, file::size);
    assertThrows(IllegalStateException.class, file::force);
    assertThrows(IllegalStateException.class, () -> file.truncate(0));
    assertThrows(IllegalStateException.class, () -> file.map(0, 0).close());
  }

  @ParameterizedTest
  @EnumSource
  void renameReplacesTheTargetAndAnOpenFileFollows(Kind kind) throws Exception {
    use(kind);
    Path building = directory.resolve("c.building");
    Path target = directory.resolve("c.lsm");
    create(target, "old content");
    try (StorageFile file = files.open(building, OpenMode.CREATE_NEW);
        StorageFile replaced = files.open(target, OpenMode.READ_ONLY)) {
      file.write(0, "new".getBytes(StandardCharsets.UTF_8), 0, 3);
      files.rename(building, target);
      files.forceDirectory(directory);
      file.write(3, "er".getBytes(StandardCharsets.UTF_8), 0, 2);
      assertEquals(11, replaced.size(), "an open file outlives its name");
    }
    assertFalse(files.exists(building));
    assertEquals("newer", text(target));
    DiskException absent = assertThrows(DiskException.class, () -> files.rename(building, target));
    assertTrue(absent.getCause() instanceof NoSuchFileException);
  }

  @ParameterizedTest
  @EnumSource
  void renamesDirectoriesWithWhatIsInThem(Kind kind) throws Exception {
    use(kind);
    Path building = directory.resolve("building");
    files.createDirectories(building.resolve("inner"));
    create(building.resolve("inner/f"), "x");
    files.createDirectories(directory.resolve("full"));
    create(directory.resolve("full/g"), "y");
    assertThrows(DiskException.class, () -> files.rename(building, directory.resolve("full")));
    assertThrows(DiskException.class, () -> files.rename(building, directory.resolve("full/g")));
    assertThrows(
        DiskException.class,
        () -> files.rename(directory.resolve("full/g"), building.resolve("inner")));
    files.rename(building, directory.resolve("built"));
    assertEquals("x", text(directory.resolve("built/inner/f")));
    assertFalse(files.exists(building));
  }

  @ParameterizedTest
  @EnumSource
  void listsByNameAndDeletes(Kind kind) throws Exception {
    use(kind);
    Path d = directory.resolve("d");
    files.createDirectories(d.resolve("e"));
    files.createDirectories(d.resolve("e"));
    create(d.resolve("b"), "");
    create(d.resolve("a"), "");
    assertEquals(List.of(d.resolve("a"), d.resolve("b"), d.resolve("e")), files.list(d));
    DiskException full = assertThrows(DiskException.class, () -> files.delete(d));
    assertTrue(full.getCause() instanceof DirectoryNotEmptyException);
    files.delete(d.resolve("e"));
    files.delete(d.resolve("b"));
    assertEquals(List.of(d.resolve("a")), files.list(d));
    Path absent = directory.resolve("x");
    DiskException missing = assertThrows(DiskException.class, () -> files.delete(absent));
    assertTrue(missing.getCause() instanceof NoSuchFileException);
    assertThrows(DiskException.class, () -> files.list(absent));
    assertThrows(DiskException.class, () -> files.list(d.resolve("a")));
    assertThrows(DiskException.class, () -> files.size(absent));
    assertThrows(DiskException.class, () -> files.forceDirectory(absent));
    assertThrows(DiskException.class, () -> files.createDirectories(d.resolve("a/below")));
    assertTrue(files.usableBytes(directory) > 0);
    assertThrows(DiskException.class, () -> files.usableBytes(absent));
  }

  @ParameterizedTest
  @EnumSource
  void directoriesOnOneDeviceSayTheSameDevice(Kind kind) throws Exception {
    use(kind);
    Path one = directory.resolve("one");
    Path other = directory.resolve("other");
    files.createDirectories(one.resolve("below"));
    files.createDirectories(other);
    assertEquals(files.device(one), files.device(other));
    assertEquals(files.device(one), files.device(one.resolve("below")));
    assertThrows(DiskException.class, () -> files.device(directory.resolve("absent")));
  }

  @ParameterizedTest
  @EnumSource
  void mappedPutsAreInTheFileAtOnce(Kind kind) throws Exception {
    use(kind);
    byte[] content = randomBytes(5000);
    try (StorageFile file = files.open(directory.resolve("log"), OpenMode.CREATE_NEW)) {
      file.write(0, new byte[1 << 16], 0, 1 << 16);
      file.force();
      MappedRegion region = file.map(4096, 8192);
      region.put(100, content, 0, content.length);
      region.prefault();
      region.force(100, content.length);
      byte[] read = new byte[content.length];
      file.read(4196, read, 0, read.length);
      assertArrayEquals(content, read);
      assertThrows(IndexOutOfBoundsException.class, () -> region.put(8000, content, 0, 193));
      assertThrows(IndexOutOfBoundsException.class, () -> region.put(-1, content, 0, 1));
      assertThrows(IndexOutOfBoundsException.class, () -> region.put(0, content, 4999, 2));
      region.close();
      region.close();
      assertThrows(IllegalStateException.class, () -> region.put(0, content, 0, 1));
      assertThrows(IllegalStateException.class, () -> region.force(0, 1));
      assertThrows(IllegalStateException.class, region::prefault);
      assertThrows(IllegalArgumentException.class, () -> file.map(1 << 15, 1 + (1 << 15)).close());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aRegionOutlivesItsFile(Kind kind) throws Exception {
    use(kind);
    Path path = directory.resolve("log");
    StorageFile file = files.open(path, OpenMode.CREATE_NEW);
    file.write(0, new byte[4096], 0, 4096);
    try (MappedRegion region = file.map(0, 4096)) {
      file.close();
      region.put(4095, new byte[] {7}, 0, 1);
      region.force(0, 4096);
    }
    assertEquals(7, text(path).charAt(4095));
  }

  @ParameterizedTest
  @EnumSource
  void whatWasPutIsInTheFileWhenTheRegionIsClosedAndItIsForced(Kind kind) throws Exception {
    use(kind);
    Path path = directory.resolve("log");
    byte[] content = randomBytes(5000);
    try (StorageFile file = files.open(path, OpenMode.CREATE_NEW)) {
      file.write(0, new byte[8192], 0, 8192);
      MappedRegion region = file.map(0, 8192);
      region.put(3000, content, 0, content.length);
      region.close();
      file.force();
      byte[] read = new byte[content.length];
      file.read(3000, read, 0, read.length);
      assertArrayEquals(content, read);
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aClosedRegionIsUnmappedAtOnce() throws Exception {
    use(Kind.LOCAL);
    Path path = directory.resolve("mapped");
    try (StorageFile file = files.open(path, OpenMode.CREATE_NEW)) {
      file.write(0, new byte[8192], 0, 8192);
      MappedRegion region = file.map(0, 8192);
      region.put(0, new byte[] {1}, 0, 1);
      assertTrue(Files.readString(Path.of("/proc/self/maps")).contains(path.toString()));
      region.close();
      assertFalse(Files.readString(Path.of("/proc/self/maps")).contains(path.toString()));
    }
  }

  @ParameterizedTest
  @EnumSource
  void oneHolderPerDirectory(Kind kind) throws Exception {
    use(kind);
    try (DirectoryLock lock = files.lock(directory)) {
      assertTrue(lock != null);
      ConflictException refused =
          assertThrows(ConflictException.class, () -> files.lock(directory).close());
      assertEquals(ConflictException.Reason.DIRECTORY_IN_USE, refused.reason());
    }
    files.lock(directory).close();
    assertEquals(List.of(directory.resolve("LOCK")), files.list(directory));
    assertThrows(DiskException.class, () -> files.lock(directory.resolve("absent")).close());
  }

  private void create(Path path, String text) throws Exception {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    try (StorageFile file = files.open(path, OpenMode.CREATE_NEW)) {
      file.write(0, bytes, 0, bytes.length);
    }
  }

  private String text(Path path) throws Exception {
    byte[] bytes = new byte[(int) files.size(path)];
    try (StorageFile file = files.open(path, OpenMode.READ_ONLY)) {
      assertEquals(bytes.length, file.read(0, bytes, 0, bytes.length));
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static byte[] randomBytes(int length) {
    byte[] bytes = new byte[length];
    RandomGenerator random = Seeds.random(Seeds.one(42));
    random.nextBytes(bytes);
    return bytes;
  }
}
