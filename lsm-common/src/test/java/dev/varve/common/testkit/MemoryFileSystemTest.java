package dev.varve.common.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.env.FileSystem.DirectoryLock;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.MappedRegion;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.DiskException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: crash images lose what was not forced and keep what was, and show every state that the disk
 * model allows. Method: small disks, all images or many seeds, states collected in sets.
 */
final class MemoryFileSystemTest {
  private static final Path DB = Path.of("/db");
  private static final Path A = DB.resolve("a");
  private static final Path B = DB.resolve("b");
  private static final int SEEDS = 400;

  private final MemoryFileSystem files = new MemoryFileSystem();

  @BeforeEach
  void createDurableDirectory() throws Exception {
    files.createDirectories(DB);
    files.forceDirectory(Path.of("/"));
  }

  @Test
  void onlyForcedBytesUnderForcedNamesSurviveForCertain() throws Exception {
    try (StorageFile file = files.open(A, OpenMode.CREATE_NEW)) {
      write(file, 0, "forced");
      file.force();
      assertFalse(durable().exists(A), "the name was not forced");
      files.forceDirectory(DB);
      write(file, 6, " and not");
      assertEquals("forced and not", text(files, A));
      assertEquals("forced", text(durable(), A));
      assertEquals("forced and not", text(everything(), A));
      write(file, 0, "FORCED");
      assertEquals("forced", text(durable(), A));
      file.force();
      assertEquals("FORCED and not", text(durable(), A));
    }
  }

  @Test
  void anUnforcedDirectoryLosesWhatIsInIt() throws Exception {
    Path inner = DB.resolve("inner");
    files.createDirectories(inner);
    StorageFile file = files.open(inner.resolve("f"), OpenMode.CREATE_NEW);
    file.force();
    file.close();
    files.forceDirectory(inner);
    assertFalse(durable().exists(inner));
    assertTrue(everything().exists(inner.resolve("f")));
    files.forceDirectory(DB);
    assertTrue(durable().exists(inner.resolve("f")));
  }

  @Test
  void forcedBytesAreInEveryImage() throws Exception {
    StorageFile file = files.open(A, OpenMode.CREATE_NEW);
    byte[] forced = new byte[3000];
    Arrays.fill(forced, (byte) 'f');
    file.write(0, forced, 0, forced.length);
    file.force();
    files.forceDirectory(DB);
    byte[] loose = new byte[9000];
    Arrays.fill(loose, (byte) 'l');
    file.write(forced.length, loose, 0, loose.length);
    forEachImage(
        image -> {
          byte[] content = image.content(A);
          assertTrue(content.length >= forced.length);
          assertArrayEquals(forced, Arrays.copyOf(content, forced.length));
        });
  }

  @Test
  void unforcedSectorsAreKeptLostOrFilledEachOnItsOwn() throws Exception {
    StorageFile file = files.open(A, OpenMode.CREATE_NEW);
    files.forceDirectory(DB);
    byte[] loose = new byte[8 * 512];
    Arrays.fill(loose, (byte) 'l');
    file.write(0, loose, 0, loose.length);
    Set<String> seen = new HashSet<>();
    Set<Integer> keptCounts = new TreeSet<>();
    Set<Integer> sizes = new TreeSet<>();
    forEachImage(
        image -> {
          byte[] content = image.content(A);
          sizes.add(content.length);
          if (content.length == loose.length) {
            int kept = 0;
            for (int sector = 0; sector < 8; sector++) {
              String state = stateOf(content, sector * 512);
              seen.add(state);
              kept += state.equals("kept") ? 1 : 0;
            }
            keptCounts.add(kept);
          }
        });
    assertEquals(Set.of("kept", "zeros", "garbage"), seen);
    assertEquals(Set.of(0, 1, 2, 3, 4, 5, 6, 7, 8), keptCounts);
    assertEquals(Set.of(0, loose.length), sizes);
  }

  @Test
  void anOverwrittenSectorIsSeenOldNewOrAtAVersionInBetweenButNeverTorn() throws Exception {
    StorageFile file = files.open(A, OpenMode.CREATE_NEW);
    files.forceDirectory(DB);
    write(file, 0, "one....");
    file.force();
    write(file, 0, "two");
    write(file, 3, "+++");
    Set<String> seen = new TreeSet<>();
    forEachImage(image -> seen.add(text(image, A)));
    assertEquals(Set.of("one....", "two....", "two+++."), seen);
  }

  @Test
  void aCutIsSeenOldOrNew() throws Exception {
    StorageFile file = files.open(A, OpenMode.CREATE_NEW);
    files.forceDirectory(DB);
    byte[] bytes = new byte[2000];
    Arrays.fill(bytes, (byte) 'x');
    file.write(0, bytes, 0, bytes.length);
    file.force();
    file.truncate(700);
    assertEquals(700, files.size(A));
    assertEquals(2000, durable().size(A));
    assertEquals(700, everything().size(A));
    Set<Integer> sizes = new TreeSet<>();
    forEachImage(image -> sizes.add(image.content(A).length));
    assertEquals(Set.of(700, 2000), sizes);
    file.force();
    assertEquals(700, durable().size(A));
  }

  @Test
  void aRenameWithoutAForcedDirectoryIsOldNewOrBoth() throws Exception {
    StorageFile file = files.open(A, OpenMode.CREATE_NEW);
    write(file, 0, "new");
    file.force();
    file.close();
    StorageFile old = files.open(B, OpenMode.CREATE_NEW);
    write(old, 0, "old");
    old.force();
    old.close();
    files.forceDirectory(DB);
    files.rename(A, B);
    assertEquals("new", text(files, B));
    assertEquals("old", text(durable(), B));
    assertEquals("new", text(everything(), B));
    Set<String> seen = new TreeSet<>();
    forEachImage(image -> seen.add((image.exists(A) ? "a=new " : "") + "b=" + text(image, B)));
    assertEquals(Set.of("a=new b=old", "b=new", "a=new b=new"), seen);
    files.forceDirectory(DB);
    forEachImage(image -> assertEquals("new", text(image, B)));
    forEachImage(image -> assertFalse(image.exists(A)));
  }

  @Test
  void aRenameBetweenDirectoriesNeverLosesTheFile() throws Exception {
    Path other = DB.resolve("other");
    files.createDirectories(other);
    files.open(A, OpenMode.CREATE_NEW).close();
    files.forceDirectory(DB);
    files.rename(A, other.resolve("a"));
    forEachImage(image -> assertTrue(image.exists(A) || image.exists(other.resolve("a"))));
    files.forceDirectory(DB);
    forEachImage(image -> assertFalse(image.exists(A)));
    forEachImage(image -> assertTrue(image.exists(other.resolve("a"))));
  }

  @Test
  void directoryChangesAreLostFromTheEndOrAnyOfThem() throws Exception {
    for (String name : List.of("1", "2", "3")) {
      files.open(DB.resolve(name), OpenMode.CREATE_NEW).close();
    }
    Set<String> seen = new TreeSet<>();
    forEachImage(
        image ->
            seen.add(
                String.join(
                    "", image.list(DB).stream().map(p -> p.getFileName().toString()).toList())));
    assertEquals(Set.of("", "1", "2", "3", "12", "13", "23", "123"), seen);
  }

  @Test
  void aDeletedFileMayComeBackUntilTheDirectoryIsForced() throws Exception {
    files.open(A, OpenMode.CREATE_NEW).close();
    files.forceDirectory(DB);
    files.delete(A);
    assertFalse(files.exists(A));
    assertTrue(durable().exists(A));
    Set<Boolean> seen = new HashSet<>();
    forEachImage(image -> seen.add(image.exists(A)));
    assertEquals(Set.of(true, false), seen);
    files.forceDirectory(DB);
    forEachImage(image -> assertFalse(image.exists(A)));
  }

  @Test
  void mappedPutsAreLostAndKeptLikeWrites() throws Exception {
    StorageFile file = files.open(A, OpenMode.CREATE_NEW);
    files.forceDirectory(DB);
    file.write(0, new byte[16384], 0, 16384);
    file.force();
    MappedRegion region = file.map(4096, 8192);
    region.put(10, new byte[] {1}, 0, 1);
    region.put(4096, new byte[] {2}, 0, 1);
    assertEquals(1, files.content(A)[4106]);
    assertEquals(0, durable().content(A)[4106]);
    region.force(10, 1);
    assertEquals(1, durable().content(A)[4106]);
    assertEquals(0, durable().content(A)[8192], "another page");
    region.force(0, 8192);
    assertEquals(2, durable().content(A)[8192]);
    region.put(8191, new byte[] {3}, 0, 1);
    file.force();
    assertEquals(3, durable().content(A)[12287], "forcing the file forces its mapped pages");
    region.close();
    assertThrows(IllegalStateException.class, () -> region.put(0, new byte[1], 0, 1));
  }

  @Test
  void forcingARangeForcesItsPagesAndLeavesTheRestUnforced() throws Exception {
    StorageFile file = files.open(A, OpenMode.CREATE_NEW);
    files.forceDirectory(DB);
    file.write(0, new byte[3 * 4096], 0, 3 * 4096);
    file.force();
    byte[] ones = new byte[3 * 4096];
    Arrays.fill(ones, (byte) 1);
    try (MappedRegion region = file.map(0, ones.length)) {
      region.put(0, ones, 0, ones.length);
      region.force(5000, 1);
      byte[] expected = new byte[ones.length];
      Arrays.fill(expected, 4096, 8192, (byte) 1);
      assertArrayEquals(expected, durable().content(A));
      assertArrayEquals(ones, everything().content(A));
      region.force(0, 1);
      region.force(ones.length - 1, 1);
      assertArrayEquals(ones, durable().content(A));
    }
  }

  @Test
  void forcingARangeDoesNotForceTheSizeOfTheFile() throws Exception {
    StorageFile file = files.open(A, OpenMode.CREATE_NEW);
    files.forceDirectory(DB);
    file.write(0, new byte[8192], 0, 8192);
    try (MappedRegion region = file.map(0, 8192)) {
      region.put(0, new byte[] {1}, 0, 1);
      region.force(0, 8192);
    }
    assertEquals(0, durable().size(A));
  }

  @Test
  void aForceThatFailedIsNotRepairedByALaterOne() throws Exception {
    MemoryFile file = (MemoryFile) files.open(A, OpenMode.CREATE_NEW);
    files.forceDirectory(DB);
    write(file, 0, "lost");
    file.failForce();
    write(file, 4, "kept");
    file.force();
    assertEquals("lostkept", text(files, A));
    assertEquals("\0\0\0\0kept", text(durable(), A));
    assertEquals("\0\0\0\0kept", text(everything(), A));
  }

  @Test
  void aKilledProcessLosesItsHandlesAndLocksAndNothingElse() throws Exception {
    StorageFile file = files.open(A, OpenMode.CREATE_NEW);
    write(file, 0, "cached");
    DirectoryLock lock = files.lock(DB);
    assertThrows(ConflictException.class, () -> files.lock(DB).close());
    files.crashAt(files.operationCount() + 1);
    assertThrows(SimulatedCrash.class, () -> file.write(0, new byte[1], 0, 0));
    files.killProcess();
    assertThrows(SimulatedCrash.class, file::size);
    file.close();
    DirectoryLock second = files.lock(DB);
    lock.close();
    assertThrows(ConflictException.class, () -> files.lock(DB).close(), "still the second's");
    second.close();
    assertEquals("cached", text(files, A));
    assertFalse(durable().exists(A), "the page cache is not the disk");
  }

  @Test
  void crashAtStopsInsideTheOperationAndForEver() throws Exception {
    long before = files.operationCount();
    files.crashAt(before + 3);
    StorageFile file = files.open(A, OpenMode.CREATE_NEW);
    write(file, 0, "x");
    assertThrows(SimulatedCrash.class, file::force);
    assertTrue(files.crashed());
    assertEquals(before + 3, files.operationCount());
    assertThrows(SimulatedCrash.class, () -> files.exists(A));
    assertThrows(SimulatedCrash.class, file::force);
    assertThrows(SimulatedCrash.class, () -> files.open(A, OpenMode.READ_ONLY).close());
    file.close();
    assertEquals(before + 3, files.operationCount(), "a dead process does nothing");
    assertEquals("x", text(everything(), A));
    assertFalse(durable().exists(A));
    everything().open(A, OpenMode.READ_ONLY).close();
  }

  @Test
  void anObserverSeesTheDiskInsideEveryOperation() throws Exception {
    List<String> seen = new ArrayList<>();
    long before = files.operationCount();
    files.onOperation(
        operation ->
            seen.add(
                (operation.number() - before)
                    + " "
                    + operation.call()
                    + " "
                    + (durable().exists(A) ? durableText(A) : "absent")));
    StorageFile file = files.open(A, OpenMode.CREATE_NEW);
    files.forceDirectory(DB);
    write(file, 0, "x");
    file.force();
    file.size();
    files.list(DB);
    files.delete(A);
    assertEquals(
        List.of("1 CREATE absent", "2 FORCEDIR absent", "3 WRITE ", "4 FORCE ", "5 DELETE x"),
        seen);
  }

  @Test
  void imagesAreIndependentDisks() throws Exception {
    StorageFile file = files.open(A, OpenMode.CREATE_NEW);
    write(file, 0, "first");
    file.force();
    files.forceDirectory(DB);
    MemoryFileSystem image = durable();
    write(file, 0, "FIRST");
    file.force();
    try (StorageFile other = image.open(A, OpenMode.READ_WRITE)) {
      write(other, 0, "image");
    }
    assertEquals("FIRST", text(files, A));
    assertEquals("image", text(image, A));
    assertEquals("first", text(image.crash(0, Seeds.random(1)), A));
  }

  @Test
  void equalSeedsGiveEqualImages() throws Exception {
    StorageFile file = files.open(A, OpenMode.CREATE_NEW);
    file.write(0, new byte[50_000], 0, 50_000);
    files.open(B, OpenMode.CREATE_NEW).close();
    for (int seed = 0; seed < 50; seed++) {
      MemoryFileSystem one = files.crash(Seeds.random(seed));
      MemoryFileSystem two = files.crash(Seeds.random(seed));
      assertEquals(one.list(DB), two.list(DB));
      if (one.exists(A)) {
        assertArrayEquals(one.content(A), two.content(A));
      }
    }
  }

  @Test
  void aFullDiskTakesWhatFitsAndRefusesTheRest() throws Exception {
    files.setCapacityBytes(1000);
    StorageFile file = files.open(A, OpenMode.CREATE_NEW);
    file.write(0, new byte[600], 0, 600);
    assertEquals(400, files.usableBytes(DB));
    DiskException full =
        assertThrows(DiskException.class, () -> file.write(500, new byte[600], 0, 600));
    assertTrue(full.getMessage().contains("No space"), full::getMessage);
    assertEquals(1000, file.size());
    file.write(0, new byte[1000], 0, 1000);
    files.delete(A);
    assertEquals(1000, files.usableBytes(DB));
  }

  @Test
  void manyUnforcedPutsAreMergedAndStillUnforced() throws Exception {
    StorageFile file = files.open(A, OpenMode.CREATE_NEW);
    files.forceDirectory(DB);
    file.write(0, new byte[65536], 0, 65536);
    file.force();
    byte[] expected = new byte[65536];
    MappedRegion region = file.map(0, 65536);
    RandomGenerator random = Seeds.random(Seeds.one(7));
    for (int i = 0; i < 20_000; i++) {
      int position = random.nextInt(65536);
      expected[position] = (byte) i;
      region.put(position, new byte[] {(byte) i}, 0, 1);
    }
    assertArrayEquals(expected, files.content(A));
    assertArrayEquals(expected, everything().content(A));
    assertArrayEquals(new byte[65536], durable().content(A));
    file.force();
    assertArrayEquals(expected, durable().content(A));
  }

  @Test
  void openingTheLockFileIsABug() throws Exception {
    files.lock(DB).close();
    assertThrows(
        AssertionError.class, () -> files.open(DB.resolve("LOCK"), OpenMode.READ_ONLY).close());
  }

  @Test
  void damageReachesTheDisk() throws Exception {
    StorageFile file = files.open(A, OpenMode.CREATE_NEW);
    write(file, 0, "abc");
    file.force();
    files.forceDirectory(DB);
    files.damage(A, 1, 0x20);
    assertEquals("aBc", text(durable(), A));
    assertEquals("aBc", text(files, A));
  }

  private interface ImageCheck {
    void check(MemoryFileSystem image) throws Exception;
  }

  private void forEachImage(ImageCheck check) throws Exception {
    check.check(durable());
    check.check(everything());
    Seeds.run(SEEDS, seed -> check.check(files.crash(2, Seeds.random(seed))));
  }

  private MemoryFileSystem durable() {
    return files.crash(0, Seeds.random(0));
  }

  private MemoryFileSystem everything() {
    return files.crash(1, Seeds.random(0));
  }

  private String durableText(Path path) {
    try {
      return text(durable(), path);
    } catch (DiskException failure) {
      throw new AssertionError(failure);
    }
  }

  private static String stateOf(byte[] content, int from) {
    boolean kept = true;
    boolean zeros = true;
    for (int i = from; i < from + 512; i++) {
      kept &= content[i] == 'l';
      zeros &= content[i] == 0;
    }
    return kept ? "kept" : zeros ? "zeros" : "garbage";
  }

  private static void write(StorageFile file, long position, String text) throws DiskException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    file.write(position, bytes, 0, bytes.length);
  }

  private static String text(MemoryFileSystem files, Path path) throws DiskException {
    return new String(files.content(path), StandardCharsets.UTF_8);
  }
}
