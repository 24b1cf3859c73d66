package dev.varve.transaction.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.env.FileSystem;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.ManualClock;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.common.testkit.SteppedExecutor;
import dev.varve.transaction.checkpoint.CheckpointFile;
import dev.varve.transaction.log.Durability;
import dev.varve.transaction.log.LogContext;
import dev.varve.transaction.log.LogOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Goal: whatever happens to the bytes of a log at rest, opening it yields the state after a prefix
 * of the commits that includes all which were forced, or a {@link CorruptionException}; never
 * another state, never another exception. Method: the process is killed with a few commits behind
 * the last force; then every byte of every file, every length, every sector, files swapped and
 * removed.
 */
final class LogDamageTest {
  private static final LogOptions OPTIONS =
      LogOptions.DEFAULTS.withSegmentBytes(1024).withMaxRecordBytes(512);

  private MemoryFileSystem disk = new MemoryFileSystem();

  /** States after each commit; the first one is empty. */
  private final List<Map<String, String>> states = new ArrayList<>();

  /** Commits that were forced. */
  private int proven;

  private long refused;
  private long shortened;

  /** What a log is made of. */
  private enum Content {
    /** Transactions of several records, which end in a commit. */
    TRANSACTIONS,
    /** Lone updates only, in one segment: nothing else can prove what was durable. */
    LONE_UPDATES,
    /** Both in turn. */
    BOTH
  }

  /** What is done to a log. */
  @FunctionalInterface
  private interface Damaging {
    void damage() throws StorageException;
  }

  private void forEachContent(Damaging damaging) throws StorageException {
    for (Content content : Content.values()) {
      writeALog(content);
      damaging.damage();
    }
  }

  private void writeALog(Content content) throws StorageException {
    disk = new MemoryFileSystem();
    states.clear();
    states.add(Map.of());
    TinyEngine engine = open(disk);
    TreeMap<String, String> state = new TreeMap<>();
    for (int i = 0; i < 14; i++) {
      var entry = new TinyEngine.Entry("k" + i % 4, i % 5 == 4 ? "" : "value " + i);
      Durability durability = i % 3 == 2 ? Durability.POWER_LOSS : Durability.NONE;
      if (content == Content.LONE_UPDATES || (content == Content.BOTH && i % 2 == 1)) {
        engine.writeAlone(i % TinyEngine.INDEXES, entry, durability, () -> {});
        entry.applyTo(state, i % TinyEngine.INDEXES);
      } else {
        engine.write(entry.key(), entry.value(), durability);
        entry.applyTo(state);
      }
      if (i == 6 && content != Content.LONE_UPDATES) {
        engine.writeAndAbort("aborted", "never there");
      }
      states.add(new TreeMap<>(state));
    }
    proven = 12;
    int segments = engine.logFiles().size();
    assertTrue(segments >= (content == Content.TRANSACTIONS ? 4 : 2), segments + " files");
    disk.killProcess();
  }

  private static TinyEngine open(FileSystem files) throws StorageException {
    return new TinyEngine(files, new SteppedExecutor(new ManualClock(), 1), OPTIONS);
  }

  private static List<Path> files(MemoryFileSystem files) throws StorageException {
    return files.list(Path.of("/store/log"));
  }

  private MemoryFileSystem copy() {
    return disk.crash(1, Seeds.random(1));
  }

  private void checkOpening(FileSystem damaged, String what) {
    Map<String, String> found;
    try {
      found = open(damaged).state();
    } catch (CorruptionException e) {
      refused++;
      return;
    } catch (StorageException | RuntimeException | Error e) {
      throw new AssertionError(what + ": " + e, e);
    }
    int last = states.lastIndexOf(found);
    assertTrue(last >= proven, what + ": opened with state " + last + ": " + found);
    shortened += last < states.size() - 1 ? 1 : 0;
  }

  @Test
  void anUndamagedLogOpensWhole() throws StorageException {
    forEachContent(() -> assertEquals(states.get(states.size() - 1), open(copy()).state()));
  }

  @Test
  void everyDamagedByteIsRefusedOrShortensTheTail() throws StorageException {
    for (Content content : Content.values()) {
      refused = 0;
      shortened = 0;
      writeALog(content);
      long damages = damageEveryByte();
      System.out.println(
          content
              + ": "
              + damages
              + " damages, "
              + refused
              + " refused, "
              + shortened
              + " shortened the tail");
      assertTrue(refused > (content == Content.TRANSACTIONS ? 2_000 : 800));
      assertTrue(shortened > 50, shortened + " shortened");
    }
  }

  private long damageEveryByte() throws StorageException {
    long damages = 0;
    for (Path path : files(disk)) {
      long size = disk.size(path);
      for (long position = 0; position < size; position++) {
        int flip = 1 << (position * 5 % 8);
        for (int xor : new int[] {flip, 0xFF}) {
          MemoryFileSystem damaged = copy();
          damaged.damage(path, position, xor);
          checkOpening(damaged, path + " byte " + position + " xor " + xor);
          damages++;
        }
      }
    }
    return damages;
  }

  @Test
  void everyTruncationIsRefusedOrShortensTheTail() throws StorageException {
    forEachContent(this::truncateEverywhere);
    assertTrue(refused > 1_000);
  }

  private void truncateEverywhere() throws StorageException {
    for (Path path : files(disk)) {
      for (long size = 0; size < disk.size(path); size++) {
        MemoryFileSystem damaged = copy();
        try (StorageFile file = damaged.open(path, FileSystem.OpenMode.READ_WRITE)) {
          file.truncate(size);
        }
        checkOpening(damaged, path + " cut to " + size);
      }
    }
  }

  @Test
  void zeroedSectorsAndGarbageAreRefusedOrShortenTheTail() throws StorageException {
    for (Content content : Content.values()) {
      writeALog(content);
      spoilSectors();
    }
  }

  private void spoilSectors() throws StorageException {
    byte[] garbage = new byte[512];
    for (Path path : files(disk)) {
      for (long sector = 0; sector < disk.size(path); sector += 512) {
        int length = (int) Math.min(512, disk.size(path) - sector);
        for (int seed = 0; seed < 20; seed++) {
          if (seed > 0) {
            Seeds.random(seed).nextBytes(garbage);
          }
          MemoryFileSystem damaged = copy();
          try (StorageFile file = damaged.open(path, FileSystem.OpenMode.READ_WRITE)) {
            file.write(sector, garbage, 0, length);
          }
          checkOpening(damaged, path + " sector at " + sector + ", garbage " + seed);
        }
      }
    }
  }

  @Test
  void swappedCopiedAndMissingFilesAreRefused() throws StorageException {
    forEachContent(this::swapAndRemove);
  }

  private void swapAndRemove() throws StorageException {
    refused = 0;
    List<Path> paths = files(disk);
    for (Path one : paths) {
      for (Path other : paths) {
        if (!one.equals(other)) {
          MemoryFileSystem damaged = copy();
          damaged.rename(one, other);
          checkOpening(damaged, one + " in place of " + other);
        }
      }
      MemoryFileSystem damaged = copy();
      damaged.delete(one);
      checkOpening(damaged, one + " missing");
    }
    assertTrue(refused > paths.size());
  }

  @Test
  void aLogWithoutItsCheckpointIsRefused() throws StorageException {
    writeALog(Content.BOTH);
    MemoryFileSystem damaged = copy();
    Path checkpoint = new CheckpointFile(context(damaged)).path();
    damaged.delete(checkpoint);
    CorruptionException e = assertThrows(CorruptionException.class, () -> open(damaged));
    assertEquals(checkpoint.toString(), e.file());
  }

  @Test
  void aLogOfAnotherStoreIsRefused() throws StorageException {
    writeALog(Content.BOTH);
    LogContext own = context(copy());
    LogContext other = new LogContext(own.files(), own.executor(), own.directory(), 43);
    assertThrows(CorruptionException.class, () -> Recovery.analyse(other));
  }

  private static LogContext context(FileSystem files) {
    return TinyEngine.context(files, new SteppedExecutor(new ManualClock(), 1));
  }
}
