package dev.varve.common.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.env.FileSystem.DirectoryLock;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.MappedRegion;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.DiskException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Goal: each planned fault does its damage and no other. Method: one fault over a small file. */
final class FaultyFileSystemTest {
  private static final Path DB = Path.of("/db");
  private static final Path F = DB.resolve("f.lsm");
  private static final byte[] BYTES = {1, 2, 3, 4, 5, 6, 7, 8};

  private final MemoryFileSystem disk = new MemoryFileSystem();
  private final FaultyFileSystem files = new FaultyFileSystem(disk);

  @BeforeEach
  void createDirectory() throws Exception {
    disk.createDirectories(DB);
    disk.forceDirectory(Path.of("/"));
  }

  @Test
  void withoutAPlanEverythingPassesAndIsCounted() throws Exception {
    try (StorageFile file = files.open(F, OpenMode.CREATE_NEW)) {
      file.write(0, BYTES, 0, 8);
      file.force();
      files.forceDirectory(DB);
      file.truncate(6);
      assertEquals(6, file.size());
      try (MappedRegion region = file.map(0, 4)) {
        region.put(0, BYTES, 4, 2);
        region.force(0, 4);
      }
      assertEquals(6, file.read(0, new byte[8], 0, 8));
    }
    files.rename(F, DB.resolve("g"));
    assertEquals(List.of(DB.resolve("g")), files.list(DB));
    assertEquals(6, files.size(DB.resolve("g")));
    files.delete(DB.resolve("g"));
    files.createDirectories(DB.resolve("d"));
    assertTrue(files.exists(DB.resolve("d")));
    assertTrue(files.usableBytes(DB) > 0);
    files.lock(DB).close();
    assertEquals(18, files.callCount());
    assertEquals(0, files.faultCount());
    files.assertNothingOpen();
  }

  @Test
  void aFailedWriteWritesNothingAndTheNextOneWorks() throws Exception {
    files.setPlan("write *.lsm 1 EIO");
    try (StorageFile file = files.open(F, OpenMode.CREATE_NEW)) {
      DiskException failure = assertThrows(DiskException.class, () -> file.write(0, BYTES, 0, 8));
      assertTrue(failure.getMessage().contains("write /db/f.lsm: Input/output error"));
      assertEquals(0, file.size());
      file.write(0, BYTES, 0, 8);
      assertEquals(8, file.size());
      assertEquals(1, files.faultCount());
    }
  }

  @Test
  void aShortWriteLeavesItsFirstBytesAndThrows() throws Exception {
    files.setPlan("write * 1 SHORT 3");
    try (StorageFile file = files.open(F, OpenMode.CREATE_NEW)) {
      assertThrows(DiskException.class, () -> file.write(0, BYTES, 0, 8));
      assertArrayEquals(new byte[] {1, 2, 3}, disk.content(F));
    }
  }

  @Test
  void readsAreShortenedAndFlipped() throws Exception {
    try (StorageFile file = files.open(F, OpenMode.CREATE_NEW)) {
      file.write(0, BYTES, 0, 8);
      files.setPlan("read * 1 SHORT 5; read * 2 FLIP 72");
      byte[] read = new byte[10];
      assertEquals(5, file.read(0, read, 0, 8));
      assertEquals(8, file.read(0, read, 2, 8));
      byte[] expected = Arrays.copyOf(BYTES, 8);
      expected[1] ^= 1;
      assertArrayEquals(expected, Arrays.copyOfRange(read, 2, 10));
      assertArrayEquals(BYTES, disk.content(F));
    }
  }

  @Test
  void writesAreFlippedShiftedAndLostWithoutAWord() throws Exception {
    files.setPlan("write * 1 FLIP 0; write * 2 SHIFT 4; write * 3 LOST");
    try (StorageFile file = files.open(F, OpenMode.CREATE_NEW)) {
      file.write(0, BYTES, 0, 4);
      file.write(4, BYTES, 4, 2);
      file.write(0, BYTES, 6, 1);
      assertArrayEquals(new byte[] {0, 2, 3, 4, 0, 0, 0, 0, 5, 6}, disk.content(F));
      assertArrayEquals(new byte[] {1, 2, 3, 4, 5, 6, 7, 8}, BYTES);
    }
  }

  @Test
  void aFailedForceLosesItsPagesForGood() throws Exception {
    files.setPlan("force * 1 EIO");
    try (StorageFile file = files.open(F, OpenMode.CREATE_NEW)) {
      files.forceDirectory(DB);
      file.write(0, BYTES, 0, 8);
      assertThrows(DiskException.class, file::force);
      file.force();
      assertArrayEquals(BYTES, disk.content(F));
      assertEquals(0, disk.crash(0, Seeds.random(1)).size(F));
    }
  }

  @Test
  void aLyingForceForcesNothingYet() throws Exception {
    files.setPlan("force * 1 LOST; forcedir db 1 LOST; sync * 1 LOST");
    try (StorageFile file = files.open(F, OpenMode.CREATE_NEW)) {
      file.write(0, BYTES, 0, 8);
      file.force();
      files.forceDirectory(DB);
      assertEquals(List.of(), disk.crash(0, Seeds.random(1)).list(DB));
      file.force();
      files.forceDirectory(DB);
      try (MappedRegion region = file.map(0, 8)) {
        region.put(0, new byte[] {9}, 0, 1);
        region.force(0, 8);
        assertEquals(1, disk.crash(0, Seeds.random(1)).content(F)[0]);
        region.force(0, 8);
        assertEquals(9, disk.crash(0, Seeds.random(1)).content(F)[0]);
      }
    }
  }

  @Test
  void mappedRegionsFailToo() throws Exception {
    try (StorageFile file = files.open(F, OpenMode.CREATE_NEW)) {
      files.forceDirectory(DB);
      file.write(0, new byte[8], 0, 8);
      file.force();
      files.setPlan("put * 1 EIO; put * 2 LOST; put * 3 FLIP 8; put * 4 SHIFT 2; sync * 1 EIO");
      try (MappedRegion region = file.map(0, 8)) {
        assertThrows(DiskException.class, () -> region.put(0, BYTES, 0, 2));
        region.put(0, BYTES, 0, 2);
        assertArrayEquals(new byte[8], disk.content(F));
        region.put(0, BYTES, 0, 2);
        region.put(0, BYTES, 0, 2);
        assertArrayEquals(new byte[] {1, 3, 1, 2, 0, 0, 0, 0}, disk.content(F));
        assertThrows(DiskException.class, () -> region.force(0, 8));
        region.force(0, 8);
        assertArrayEquals(new byte[8], disk.crash(0, Seeds.random(1)).content(F));
      }
    }
  }

  @Test
  void memoryRunsOutAndInterruptsArriveWherePlanned() throws Exception {
    files.setPlan("list * 1 OOM; exists * 1 INTERRUPT");
    assertThrows(OutOfMemoryError.class, () -> files.list(DB));
    assertTrue(files.exists(DB));
    assertTrue(Thread.interrupted());
    files.setPlan("any * 1 ENOSPC persistent");
    assertThrows(DiskException.class, () -> files.list(DB));
    assertThrows(DiskException.class, () -> files.lock(DB).close());
    assertThrows(DiskException.class, () -> files.open(F, OpenMode.CREATE_NEW).close());
    assertThrows(DiskException.class, () -> files.rename(F, DB.resolve("g")));
    files.setPlan("");
    assertEquals(List.of(), files.list(DB));
  }

  @Test
  void leaksAreReportedWithTheStackThatOpened() throws Exception {
    StorageFile file = files.open(F, OpenMode.CREATE_NEW);
    file.write(0, BYTES, 0, 8);
    MappedRegion region = file.map(0, 8);
    DirectoryLock lock = files.lock(DB);
    assertEquals(
        List.of("file /db/f.lsm", "lock /db", "region of /db/f.lsm"), files.openResources());
    AssertionError leak = assertThrows(AssertionError.class, files::assertNothingOpen);
    assertTrue(leak.getMessage().contains("leaksAreReportedWithTheStackThatOpened"));
    region.close();
    lock.close();
    file.close();
    file.close();
    files.assertNothingOpen();
  }
}
