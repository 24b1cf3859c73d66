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
import java.util.List;
import org.junit.jupiter.api.Test;

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
    LogOptions options = LogOptions.defaults().withSegmentBytes(512);
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
          new LogUpdate()
              .change(4, LogOperation.UPSERT)
              .entry(LogFixtures.slice("k"), LogFixtures.slice("alone")));
      end = SegmentLayout.HEADER_BYTES + (int) log.endLsn();
    }
    byte[] used = new byte[end];
    System.arraycopy(disk.content(SEGMENT), 0, used, 0, end);
    Golden.requireSame("v1/log-segment.txt", "log.md", Golden.dump(used));
  }

  @Test
  void theKeptSegmentIsReadable() throws StorageException {
    MemoryFileSystem disk = new MemoryFileSystem();
    disk.createDirectories(Path.of("/log"));
    byte[] kept = Golden.bytes("v1/log-segment.txt");
    byte[] whole = new byte[512];
    System.arraycopy(kept, 0, whole, 0, kept.length);
    try (StorageFile file = disk.open(SEGMENT, FileSystem.OpenMode.CREATE_NEW)) {
      file.write(0, whole, 0, whole.length);
    }
    assertEquals(
        List.of(
            "0 UPDATE t7 <-1 i3 INSERT key = value",
            "52 COMMIT t7 <0",
            "96 ABORT t8 <-1",
            "132 LONE_UPDATE i4 UPSERT k = alone"),
        LogFixtures.read(context(disk), LogFixtures.start()));
  }
}
