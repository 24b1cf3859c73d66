package dev.varve.common.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Crc32c;
import dev.varve.common.bytes.Golden;
import dev.varve.common.bytes.Slice;
import dev.varve.common.component.ComponentId;
import dev.varve.common.disk.Manifest.ComponentOfLevel;
import dev.varve.common.disk.Manifest.Level;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.FormatVersionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.merge.KeyInterval;
import dev.varve.common.testkit.MemoryFileSystem;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Goal: a manifest is read as it was written, by every later version, and damage is never read.
 * Method: the worked example of docs/format/manifest.md as golden bytes; each byte changed; each
 * length cut; changes that keep the checksum right.
 */
final class ManifestFileTest {
  private static final String RESOURCE = "v1/manifest.txt";
  private static final Path DIRECTORY = Path.of("/index");
  private static final Path PATH = DIRECTORY.resolve("manifest");
  private static final Manifest EXAMPLE =
      new Manifest(
          6,
          700,
          List.of(
              new Level(
                  Optional.empty(),
                  List.of(
                      new ComponentOfLevel(3, Optional.of(new ComponentId(6, 6)), keys("b", "k")))),
              new Level(
                  Optional.of(keys("a", "c")),
                  List.of(
                      new ComponentOfLevel(4, Optional.empty(), keys("a", "c")),
                      new ComponentOfLevel(5, Optional.empty(), keys("d", "m"))))));

  private final MemoryFileSystem disk = new MemoryFileSystem();
  private final ManifestFile file = new ManifestFile(disk, DIRECTORY, 42, 7);

  ManifestFileTest() throws StorageException {
    disk.createDirectories(DIRECTORY);
  }

  private static KeyInterval keys(String smallest, String largest) {
    return new KeyInterval(slice(smallest), slice(largest));
  }

  @Test
  void theFormatPageShowsTheBytesOfThisVersion() throws StorageException {
    file.write(EXAMPLE);
    Golden.requireSame(RESOURCE, "manifest.md", Golden.dump(disk.content(PATH)));
  }

  @Test
  void theKeptBytesAreReadAsWhatTheyWere() throws StorageException {
    put(Golden.bytes(RESOURCE));
    requireExample(file.read());
  }

  @Test
  void whatWasWrittenLastIsRead() throws StorageException {
    assertNull(file.read());
    file.write(new Manifest(1, -1, List.of(new Level(Optional.empty(), List.of()))));
    file.write(EXAMPLE);
    requireExample(file.read());
    file.delete();
    assertNull(file.read());
  }

  @Test
  void everyChangedByteAndEveryCutIsFound() throws StorageException {
    byte[] whole = Golden.bytes(RESOURCE);
    for (int at = 0; at < whole.length; at++) {
      byte[] damaged = whole.clone();
      damaged[at] ^= 0x10;
      put(damaged);
      assertThrows(CorruptionException.class, file::read, "byte " + at);
    }
    for (int length = 0; length < whole.length; length++) {
      put(Arrays.copyOf(whole, length));
      assertThrows(CorruptionException.class, file::read, length + " bytes");
    }
  }

  @Test
  void aRightChecksumIsNotTrusted() throws StorageException {
    refuse(ManifestLayout.LEVELS, 0, "0 levels");
    refuse(ManifestLayout.LEVELS, 65, "65 levels");
    refuse(ManifestLayout.LEVELS, 1, "behind the last level");
    refuse(ManifestLayout.LEVELS, 3, "in a manifest of");
    refuse(ManifestLayout.BODY, -1, "a level of -1 components");
    refuse(ManifestLayout.BODY, 1 << 30, "flushes");
    refuse(ManifestLayout.BODY + 4, 2, "merged 2");
    int component = ManifestLayout.BODY + 8;
    refuse(component, 0, "component number 0");
    refuse(component, 4, "component number 4");
    refuse(component + 8, 7, "flushes 7 to 6");
    refuse(component + 24, 1 << 30, "in a manifest of");
    refuse(component + 28, 'z', "down to");
    refuse(ManifestLayout.STORE, 43, "of store 2b");
    refuse(ManifestLayout.INDEX, 8, "index 8");
  }

  @Test
  void aNewerVersionIsRefusedAsThat() throws StorageException {
    put(changed(ManifestLayout.VERSION, 2));
    assertThrows(FormatVersionException.class, file::read);
  }

  @Test
  void levelsThatOverlapAreNoManifest() {
    List<ComponentOfLevel> overlapping =
        List.of(
            new ComponentOfLevel(1, Optional.empty(), keys("a", "c")),
            new ComponentOfLevel(2, Optional.empty(), keys("c", "d")));
    Level flushed = new Level(Optional.empty(), overlapping);
    assertEquals(2, new Manifest(1, 0, List.of(flushed)).largestNumber());
    Level empty = new Level(Optional.empty(), List.of());
    assertThrows(IllegalArgumentException.class, () -> new Manifest(1, 0, List.of(empty, flushed)));
  }

  private void refuse(int at, int value, String problem) throws StorageException {
    put(changed(at, value));
    CorruptionException refused = assertThrows(CorruptionException.class, file::read);
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains(problem), message);
  }

  /** The example with four other bytes, or one for a letter, and a checksum over them. */
  private static byte[] changed(int at, int value) {
    byte[] bytes = Golden.bytes(RESOURCE);
    if (value >= 'a' && value <= 'z') {
      bytes[at] = (byte) value;
    } else {
      Bytes.putInt(bytes, at, value);
    }
    int crc =
        new Crc32c()
            .update(bytes, 0, ManifestLayout.CRC)
            .update(bytes, ManifestLayout.STORE, bytes.length - ManifestLayout.STORE)
            .value();
    Bytes.putInt(bytes, ManifestLayout.CRC, crc);
    return bytes;
  }

  private void put(byte[] bytes) throws StorageException {
    if (disk.exists(PATH)) {
      disk.delete(PATH);
    }
    try (StorageFile target = disk.open(PATH, FileSystem.OpenMode.CREATE_NEW)) {
      if (bytes.length > 0) {
        target.write(0, bytes, 0, bytes.length);
      }
    }
  }

  /** Slices compare by identity. */
  private static void requireExample(Manifest found) {
    assertEquals(EXAMPLE.newestFlush(), found.newestFlush());
    assertEquals(EXAMPLE.indexLsn(), found.indexLsn());
    assertEquals(text(EXAMPLE), text(found));
  }

  private static String text(Manifest manifest) {
    StringBuilder text = new StringBuilder();
    for (Level level : manifest.levels()) {
      text.append("level after ")
          .append(level.mergedLast().map(ManifestFileTest::text))
          .append(':');
      for (ComponentOfLevel each : level.files()) {
        text.append(each.fileName()).append(' ').append(each.number()).append(text(each.keys()));
      }
    }
    return text.toString();
  }

  private static String text(KeyInterval keys) {
    return "[" + text(keys.smallest()) + "," + text(keys.largest()) + "]";
  }

  private static Slice slice(String text) {
    return new Slice(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String text(Slice slice) {
    return new String(slice.toByteArray(), StandardCharsets.UTF_8);
  }
}
