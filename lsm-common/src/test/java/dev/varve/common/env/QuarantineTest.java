package dev.varve.common.env;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.Quarantine.Item;
import dev.varve.common.env.Quarantine.Kind;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.ManualClock;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.common.testkit.SimulatedCrash;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Goal: what goes into quarantine is there with its reason, whatever a crash leaves, and only what
 * a durable record calls superfluous is ever deleted. Method: a disk in memory, crashed at every
 * operation.
 */
final class QuarantineTest {
  private static final Path ROOT = Path.of("/db");
  private static final Path FILE = ROOT.resolve("data/c-1-1.lsm");
  private static final byte[] BYTES = "precious".getBytes(StandardCharsets.UTF_8);

  private static MemoryFileSystem disk() throws StorageException {
    MemoryFileSystem files = new MemoryFileSystem();
    files.createDirectories(FILE.getParent());
    write(files, FILE, BYTES);
    for (Path at = FILE.getParent(); at != null; at = at.getParent()) {
      files.forceDirectory(at);
    }
    return files;
  }

  private static void write(FileSystem files, Path path, byte[] bytes) throws StorageException {
    try (StorageFile file = files.open(path, OpenMode.CREATE_NEW)) {
      file.write(0, bytes, 0, bytes.length);
      file.force();
    }
  }

  private static Quarantine quarantine(FileSystem files) {
    return new Quarantine(files, new ManualClock(), ROOT);
  }

  @Test
  void whatIsMovedIsThereWithWhereItWasAndWhy() throws StorageException {
    MemoryFileSystem files = disk();
    Path now = quarantine(files).put(FILE, Kind.UNEXPLAINED, "two\nlines");
    assertFalse(files.exists(FILE));
    assertArrayEquals(BYTES, files.content(now));
    assertEquals(
        List.of(new Item(now, Kind.UNEXPLAINED, "data/c-1-1.lsm", "two lines")),
        quarantine(files).items());
  }

  @Test
  void equalNamesDoNotClash() throws StorageException {
    MemoryFileSystem files = disk();
    Quarantine quarantine = quarantine(files);
    Path first = quarantine.put(FILE, Kind.SUPERFLUOUS, "first");
    write(files, FILE, new byte[1]);
    Path second = quarantine.put(FILE, Kind.SUPERFLUOUS, "second");
    assertEquals(List.of(first, second), quarantine.items().stream().map(Item::content).toList());
  }

  @Test
  void onlyWhatIsSuperfluousIsDeletedAndTreesGoAsAWhole() throws StorageException {
    MemoryFileSystem files = disk();
    Quarantine quarantine = quarantine(files);
    quarantine.deleteSuperfluous();
    files.createDirectories(ROOT.resolve("d7/p0"));
    write(files, ROOT.resolve("d7/p0/c-1-1.lsm"), new byte[10]);
    quarantine.put(ROOT.resolve("d7"), Kind.SUPERFLUOUS, "dropped");
    Path kept = quarantine.put(FILE, Kind.UNEXPLAINED, "nobody knows");
    quarantine.deleteSuperfluous();
    assertEquals(List.of(kept), quarantine.items().stream().map(Item::content).toList());
    assertEquals(List.of(kept.getParent()), files.list(Quarantine.directory(ROOT)));
  }

  @Test
  void whatHasNoReadableRecordStays() throws StorageException {
    MemoryFileSystem files = disk();
    Quarantine quarantine = quarantine(files);
    Path now = quarantine.put(FILE, Kind.SUPERFLUOUS, "a durable record says so");
    long size = files.size(now.resolveSibling("record.txt"));
    for (long at = 0; at < size; at++) {
      files.damage(now.resolveSibling("record.txt"), at, 1);
      quarantine.deleteSuperfluous();
      assertEquals(Kind.UNEXPLAINED, quarantine.items().get(0).kind(), "byte " + at);
      files.damage(now.resolveSibling("record.txt"), at, 1);
    }
    files.delete(now.resolveSibling("record.txt"));
    quarantine.deleteSuperfluous();
    assertEquals(List.of(now), quarantine.items().stream().map(Item::content).toList());
  }

  @Test
  void aCrashAnywhereLosesNothing() throws StorageException {
    RandomGenerator random = Seeds.random(28);
    for (long operation = 1; ; operation++) {
      MemoryFileSystem files = disk();
      files.crashAt(files.operationCount() + operation);
      try {
        quarantine(files).put(FILE, Kind.SUPERFLUOUS, "why");
        break;
      } catch (SimulatedCrash crash) {
        for (int image = 0; image < 12; image++) {
          MemoryFileSystem left = files.crash(image, random);
          List<Item> items = quarantine(left).items();
          assertTrue(left.exists(FILE) || items.size() == 1, crash + " " + image);
          for (Item item : items) {
            assertArrayEquals(BYTES, left.content(item.content()));
            assertEquals(Kind.SUPERFLUOUS, item.kind());
          }
          if (left.exists(FILE)) {
            assertArrayEquals(BYTES, left.content(FILE));
            quarantine(left).put(FILE, Kind.SUPERFLUOUS, "again");
          }
          quarantine(left).deleteSuperfluous();
          assertEquals(List.of(), quarantine(left).items());
        }
      }
    }
  }
}
