package dev.varve.transaction.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Golden;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.FormatVersionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.transaction.log.LogContext;
import dev.varve.transaction.log.LogFixtures;
import dev.varve.transaction.log.LogPosition;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/**
 * Goal: a checkpoint is read as written or refused. Method: damage everywhere, crash everywhere.
 */
final class CheckpointFileTest {
  private static final Checkpoint ONE =
      new Checkpoint(Checkpoint.Kind.RUNNING, 700, 12, new LogPosition(3, 500, 600, 800));
  private static final Checkpoint TWO =
      new Checkpoint(
          Checkpoint.Kind.CLOSED,
          900,
          20,
          new LogPosition(4, 850, 900, 900),
          new TreeMap<>(Map.of(1, 7L, 2, 1L, 90_000, 1L << 40)));

  private final MemoryFileSystem disk = new MemoryFileSystem();
  private final CheckpointFile file = new CheckpointFile(context(disk));

  private static LogContext context(FileSystem files) {
    return LogFixtures.context(files);
  }

  private void createDirectory() throws StorageException {
    context(disk).createDirectory();
  }

  @Test
  void aCheckpointIsReadAsWritten() throws StorageException {
    assertNull(file.read());
    createDirectory();
    for (Checkpoint checkpoint : List.of(Checkpoint.creating(), ONE, TWO, ONE)) {
      file.write(checkpoint);
      assertEquals(checkpoint, file.read());
    }
  }

  @Test
  void theFormatIsThatOfItsPage() throws StorageException {
    Path directory = LogFixtures.DIRECTORY;
    LogContext example =
        new LogContext(disk, context(disk).executor(), directory, 0x1122_3344_5566_7788L);
    createDirectory();
    new CheckpointFile(example).write(ONE);
    Golden.requireSame(
        "v1/checkpoint.txt", "checkpoint.md", Golden.dump(disk.content(file.path())));
  }

  @Test
  void theKeptCheckpointIsReadable() throws StorageException {
    createDirectory();
    byte[] kept = Golden.bytes("v1/checkpoint.txt");
    try (StorageFile target = disk.open(file.path(), FileSystem.OpenMode.CREATE_NEW)) {
      target.write(0, kept, 0, kept.length);
    }
    LogContext example =
        new LogContext(
            disk, context(disk).executor(), LogFixtures.DIRECTORY, 0x1122_3344_5566_7788L);
    assertEquals(ONE, new CheckpointFile(example).read());
  }

  @Test
  void everyDamagedByteAndEveryLengthIsRefused() throws StorageException {
    createDirectory();
    file.write(TWO);
    long size = disk.size(file.path());
    assertEquals(CheckpointLayout.BYTES + 3 * CheckpointLayout.INDEX_BYTES, size);
    for (int position = 0; position < size; position++) {
      for (int bit = 0; bit < 8; bit++) {
        MemoryFileSystem damaged = disk.crash(1, Seeds.random(1));
        damaged.damage(file.path(), position, 1 << bit);
        assertThrows(CorruptionException.class, () -> new CheckpointFile(context(damaged)).read());
      }
      MemoryFileSystem damaged = disk.crash(1, Seeds.random(1));
      try (StorageFile cut = damaged.open(file.path(), FileSystem.OpenMode.READ_WRITE)) {
        cut.truncate(position);
      }
      assertThrows(CorruptionException.class, () -> new CheckpointFile(context(damaged)).read());
    }
  }

  @Test
  void aCrashLeavesTheOldCheckpointOrTheNew() throws StorageException {
    createDirectory();
    file.write(ONE);
    List<Checkpoint> found = new ArrayList<>();
    disk.onOperation(
        operation -> {
          for (int image = 0; image < 8; image++) {
            MemoryFileSystem crashed = disk.crash(image, Seeds.random(image));
            try {
              CheckpointFile after = new CheckpointFile(context(crashed));
              found.add(after.read());
              after.write(ONE);
              assertEquals(ONE, after.read());
            } catch (StorageException e) {
              throw new AssertionError(e);
            }
          }
        });
    file.write(TWO);
    disk.onOperation(null);
    assertTrue(found.contains(ONE));
    assertTrue(found.contains(TWO));
    assertTrue(List.of(ONE, TWO).containsAll(found));
    assertEquals(TWO, new CheckpointFile(context(disk.crash(0, Seeds.random(1)))).read());
  }

  @Test
  void aNewerFormatIsRefusedAsSuch() throws StorageException {
    createDirectory();
    file.write(ONE);
    byte[] bytes = disk.content(file.path());
    Bytes.putInt(bytes, CheckpointLayout.VERSION, 2);
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, CheckpointLayout.CRC);
    crc.update(bytes, CheckpointLayout.STORE, bytes.length - CheckpointLayout.STORE);
    Bytes.putInt(bytes, CheckpointLayout.CRC, (int) crc.getValue());
    try (StorageFile newer = disk.open(file.path(), FileSystem.OpenMode.READ_WRITE)) {
      newer.write(0, bytes, 0, bytes.length);
    }
    assertThrows(FormatVersionException.class, file::read);
  }

  @Test
  void numbersThatDoNotFitTogetherAreRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> new Checkpoint(Checkpoint.Kind.RUNNING, 599, 12, new LogPosition(3, 500, 600, 800)));
    assertThrows(
        IllegalArgumentException.class,
        () -> new Checkpoint(Checkpoint.Kind.RUNNING, 0, 1, LogPosition.NONE));
    assertThrows(IllegalArgumentException.class, () -> new LogPosition(1, 10, 9, 20));
    assertThrows(IllegalArgumentException.class, () -> new LogPosition(1, 10, 12, 11));
  }
}
