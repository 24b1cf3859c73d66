package dev.varve.transaction.log;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.varve.common.bytes.Golden;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.ManualClock;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.SteppedExecutor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Goal: the bytes of a segment are those of docs/format/log.md, for ever. */
final class LogFormatTest {
  private static final long STORE = 0x1122_3344_5566_7788L;
  private static final Path SEGMENT = Path.of("/log/segment-0000000001.log");

  private static LogContext context(MemoryFileSystem disk) {
    return new LogContext(disk, new SteppedExecutor(new ManualClock(), 1), Path.of("/log"), STORE);
  }

  @Test
  void aSegmentIsWrittenAsItsPageShows() throws StorageException {
    MemoryFileSystem disk = new MemoryFileSystem();
    LogOptions options = LogOptions.DEFAULTS.withSegmentBytes(512);
    int end;
    try (TransactionLog log = TransactionLog.open(context(disk), options, LogEnd.absent())) {
      long lsn =
          log.appendUpdate(
              new LogUpdate()
                  .transaction(7)
                  .change(3, LogOperation.INSERT)
                  .entry(LogFixtures.slice("key"), LogFixtures.slice("value")));
      log.force(log.appendCommit(7, lsn));
      log.appendAbort(8, -1);
      log.appendLoneUpdate(
          4, LogOperation.UPSERT, LogFixtures.slice("k"), LogFixtures.slice("alone"));
      end = SegmentLayout.HEADER_BYTES + (int) log.endLsn();
    }
    byte[] used = new byte[end];
    System.arraycopy(disk.content(SEGMENT), 0, used, 0, end);
    Golden.requireSame("v2/log-segment.txt", "log.md", Golden.dump(used));
    byte[] marks = disk.content(ForceMarks.path(context(disk)));
    Golden.requireSame("v1/force-marks.txt", "log.md", Golden.dump(packed(marks)));
  }

  @Test
  void theKeptMarksAreReadable() throws StorageException {
    MemoryFileSystem disk = new MemoryFileSystem();
    disk.createDirectories(Path.of("/log"));
    write(disk, ForceMarks.path(context(disk)), keptMarks());
    assertEquals(OptionalLong.of(174), ForceMarks.read(context(disk)));
  }

  /** Version 1 had no force marks; nothing else has changed. */
  @ParameterizedTest
  @ValueSource(strings = {"v1", "v2"})
  void theKeptSegmentsAreReadableAndTheLogGoesOnBehindThem(String version) throws StorageException {
    MemoryFileSystem disk = new MemoryFileSystem();
    disk.createDirectories(Path.of("/log"));
    byte[] kept = Golden.bytes(version + "/log-segment.txt");
    write(disk, SEGMENT, Arrays.copyOf(kept, 512));
    if (!version.equals("v1")) {
      write(disk, ForceMarks.path(context(disk)), keptMarks());
    }
    List<String> records =
        new ArrayList<>(
            List.of(
                "0 UPDATE t7 <-1 i3 INSERT key = value",
                "52 COMMIT t7 <0",
                "96 ABORT t8 <-1",
                "132 LONE_UPDATE i4 UPSERT k = alone"));
    assertEquals(records, LogFixtures.read(context(disk), LogFixtures.start()));
    LogEnd end = LogFixtures.end(context(disk), LogFixtures.start());
    LogOptions options = LogOptions.DEFAULTS.withSegmentBytes(512);
    try (TransactionLog log = TransactionLog.open(context(disk), options, end)) {
      log.force(log.appendAbort(9, -1));
    }
    records.add("222 ABORT t9 <-1");
    assertEquals(records, LogFixtures.read(context(disk), LogFixtures.start()));
    assertEquals(258, LogFixtures.end(context(disk), LogFixtures.start()).lsn());
  }

  /** Header and slots, without the zeros in between. */
  private static byte[] packed(byte[] marks) {
    byte[] packed = new byte[ForceMarkLayout.HEADER_BYTES + 2 * ForceMarkLayout.SLOT_BYTES];
    move(marks, packed, Move.PACK);
    return packed;
  }

  private static byte[] keptMarks() {
    byte[] marks = new byte[ForceMarkLayout.BYTES];
    move(Golden.bytes("v1/force-marks.txt"), marks, Move.UNPACK);
    return marks;
  }

  private enum Move {
    PACK,
    UNPACK
  }

  private static void move(byte[] from, byte[] to, Move move) {
    System.arraycopy(from, 0, to, 0, ForceMarkLayout.HEADER_BYTES);
    for (int slot = 0; slot < ForceMarkLayout.SLOTS; slot++) {
      int inFile = ForceMarkLayout.slot(slot);
      int inPack = ForceMarkLayout.HEADER_BYTES + slot * ForceMarkLayout.SLOT_BYTES;
      boolean pack = move == Move.PACK;
      System.arraycopy(
          from, pack ? inFile : inPack, to, pack ? inPack : inFile, ForceMarkLayout.SLOT_BYTES);
    }
  }

  private static void write(MemoryFileSystem disk, Path path, byte[] bytes)
      throws StorageException {
    try (StorageFile file = disk.open(path, FileSystem.OpenMode.CREATE_NEW)) {
      file.write(0, bytes, 0, bytes.length);
    }
  }
}
