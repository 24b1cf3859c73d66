package dev.varve.common.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Crc32c;
import dev.varve.common.bytes.Golden;
import dev.varve.common.component.ComponentId;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.FormatVersionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.MemoryFileSystem;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/**
 * Goal: what a repair has found is read as it was written, by every later version, and damage is
 * never read. Method: the worked example of docs/format/repair.md as golden bytes; each byte
 * changed; each length cut; changes that keep the checksum right.
 */
final class RepairFileTest {
  private static final String RESOURCE = "v1/repair.txt";
  private static final Path PATH = Path.of("/index/c-4-6.9.repair");
  private static final long COMPONENT = new ComponentName(new ComponentId(4, 6), 0).fileId(7);
  private static final Repair EXAMPLE =
      new Repair(Roaring64Bitmap.bitmapOf(2048, 2049, 2560, 70_000), 9);

  private final MemoryFileSystem disk = new MemoryFileSystem();
  private final RepairFile file = new RepairFile(PATH, 42, COMPONENT, 1 << 20);

  RepairFileTest() throws StorageException {
    disk.createDirectories(PATH.getParent());
  }

  @Test
  void theFormatPageShowsTheBytesOfThisVersion() throws StorageException {
    file.write(disk, EXAMPLE);
    Golden.requireSame(RESOURCE, "repair.md", Golden.dump(disk.content(PATH)));
    assertEquals(List.of(PATH), disk.list(PATH.getParent()));
  }

  @Test
  void theKeptBytesAreReadAsWhatTheyWere() throws StorageException {
    put(Golden.bytes(RESOURCE));
    assertEquals(EXAMPLE, file.read(disk));
    Repair nothing = new Repair(new Roaring64Bitmap(), 9);
    disk.delete(PATH);
    file.write(disk, nothing);
    assertEquals(nothing, file.read(disk));
  }

  @Test
  void everyChangedByteAndEveryCutIsFound() throws StorageException {
    byte[] whole = Golden.bytes(RESOURCE);
    for (int at = 0; at < whole.length; at++) {
      byte[] damaged = whole.clone();
      damaged[at] ^= 0x10;
      refuse(damaged, "");
    }
    for (int length = 0; length < whole.length; length++) {
      refuse(Arrays.copyOf(whole, length), "");
    }
  }

  @Test
  void aRightChecksumIsNotTrusted() throws StorageException {
    refuse(RepairLayout.STORE, 43, "a repair of store 2b, not 2a");
    refuse(RepairLayout.COMPONENT, 1, "a repair of component 1, not");
    refuse(RepairLayout.COMPONENT_BYTES, 8192, "a repair of component size 2000, not 100000");
    refuse(RepairLayout.CHECKED_TO, 8, "a repair up to 8 by another name");
    refuse(RepairLayout.COUNT, 3, "behind the last dead entry");
    refuse(RepairLayout.COUNT, 5, "no position of a dead entry behind 70000");
    byte[] twice = Golden.bytes(RESOURCE);
    twice[RepairLayout.BODY + 2] = 0;
    refuse(sealed(twice), "no position of a dead entry behind 2048");
    byte[] newer = Golden.bytes(RESOURCE);
    Bytes.putInt(newer, RepairLayout.VERSION, 2);
    put(sealed(newer));
    assertThrows(FormatVersionException.class, () -> file.read(disk));
  }

  @Test
  void ofEachComponentTheOneCountsThatGoesFurthest() {
    List<String> names =
        List.of(
            "c-1-3.lsm",
            "c-1-3.5.repair",
            "c-1-3.12.repair",
            "c-1-3.9.repair",
            "c-1-3.13.repair.building",
            "c-4-4.7.repair",
            "r-6.4.repair",
            "r-6.lsm",
            "manifest");
    assertEquals(
        Map.of("c-1-3.lsm", "c-1-3.12.repair", "r-6.lsm", "r-6.4.repair"),
        RepairFile.counted(names, List.of("c-1-3.lsm", "r-6.lsm", "r-7.lsm")));
  }

  private void refuse(int at, long value, String problem) throws StorageException {
    byte[] changed = Golden.bytes(RESOURCE);
    Bytes.putLong(changed, at, value);
    refuse(sealed(changed), problem);
  }

  private void refuse(byte[] bytes, String problem) throws StorageException {
    put(bytes);
    CorruptionException e = assertThrows(CorruptionException.class, () -> file.read(disk));
    assertTrue(e.getMessage().contains(problem), e.getMessage());
  }

  private static byte[] sealed(byte[] bytes) {
    int crc =
        new Crc32c()
            .update(bytes, 0, RepairLayout.CRC)
            .update(bytes, RepairLayout.STORE, bytes.length - RepairLayout.STORE)
            .value();
    Bytes.putInt(bytes, RepairLayout.CRC, crc);
    return bytes;
  }

  private void put(byte[] bytes) throws StorageException {
    if (disk.exists(PATH)) {
      disk.delete(PATH);
    }
    try (StorageFile out = disk.open(PATH, FileSystem.OpenMode.CREATE_NEW)) {
      out.write(0, bytes, 0, bytes.length);
    }
  }
}
