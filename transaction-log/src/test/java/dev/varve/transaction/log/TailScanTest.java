package dev.varve.transaction.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import java.nio.file.Path;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Goal: what is found behind the end of a log is every record that is whole, wherever it lies.
 * Method: segments of several windows full of garbage, among it records that are whole, torn, old
 * or in the wrong place, many of them across the ends of windows, against a scan that asks for a
 * record at each byte.
 */
final class TailScanTest {
  private static final int WINDOW_BYTES = 256 << 10;
  private static final int SIZE = 2 * WINDOW_BYTES + 5000;
  private static final long SEGMENT = 4;
  private static final long BASE = 70_000;
  private static final Path PATH = LogFixtures.DIRECTORY.resolve("segment-0000000004.log");

  private final RecordEncoder encoder = new RecordEncoder();
  private final int salt = SegmentLayout.salt(LogFixtures.STORE, SEGMENT);

  private MemoryFileSystem disk(byte[] segment) throws StorageException {
    MemoryFileSystem disk = new MemoryFileSystem();
    disk.createDirectories(LogFixtures.DIRECTORY);
    try (StorageFile file = disk.open(PATH, OpenMode.CREATE_NEW)) {
      file.write(0, segment, 0, segment.length);
    }
    return disk;
  }

  private void putRecord(byte[] segment, int position, long lsn, int textBytes) {
    encoder.update(LogFixtures.update(9, "x".repeat(textBytes)));
    encoder.at(lsn);
    int length = encoder.finish(salt);
    System.arraycopy(
        encoder.bytes(), 0, segment, position, Math.min(length, segment.length - position));
  }

  private byte[] segment(RandomGenerator random) {
    byte[] segment = new byte[SIZE];
    if (random.nextBoolean()) {
      random.nextBytes(segment);
    }
    for (int i = 0; i < 200; i++) {
      int position =
          switch (random.nextInt(3)) {
            case 0 -> WINDOW_BYTES - random.nextInt(100);
            case 1 -> SIZE - 1 - random.nextInt(200);
            default -> random.nextInt(SIZE);
          };
      long lsn =
          switch (random.nextInt(4)) {
            case 0 -> BASE + position + random.nextInt(3) - 1;
            case 1 -> random.nextLong(2 * BASE);
            default -> BASE + position;
          };
      putRecord(segment, position, lsn, random.nextInt(300));
      if (random.nextInt(4) == 0) {
        segment[Math.min(SIZE - 1, position + random.nextInt(60))]++;
      }
    }
    if (random.nextBoolean()) {
      int textBytes = random.nextInt(300);
      int last = SIZE - length(textBytes);
      putRecord(segment, last, BASE + last, textBytes);
    }
    return segment;
  }

  private int length(int textBytes) {
    encoder.update(LogFixtures.update(9, "x".repeat(textBytes)));
    encoder.at(BASE);
    return encoder.finish(salt);
  }

  /** What a scan finds. */
  private record Found(int first, int records, long seenLsn) {}

  private static Found naive(SegmentReader reader, int from, long base, long leastLsn)
      throws StorageException {
    int first = -1;
    int records = 0;
    long seen = leastLsn;
    for (int position = from; position + RecordLayout.HEADER_BYTES <= SIZE; position++) {
      int length = reader.recordAt(position);
      long lsn =
          length == 0
              ? -1
              : Bytes.getLong(reader.window(), reader.offset(position) + RecordLayout.LSN);
      if (lsn >= leastLsn && (base == TailScan.ANY_BASE || lsn == base + position)) {
        first = first < 0 ? position : first;
        records++;
        seen = Math.max(seen, lsn + length);
        position += length - 1;
      }
    }
    return new Found(first, records, seen);
  }

  @Test
  void everyRecordThatIsWholeIsFound() throws StorageException {
    int found = 0;
    for (long seed = 0; seed < 12; seed++) {
      RandomGenerator random = Seeds.random(seed);
      LogContext context = LogFixtures.context(disk(segment(random)));
      long base = random.nextBoolean() ? BASE : TailScan.ANY_BASE;
      long leastLsn = BASE + random.nextInt(SIZE / 2);
      int from = random.nextInt(SIZE / 2);
      TailScan scan = new TailScan(leastLsn);
      try (SegmentReader reader = new SegmentReader(context, PATH, SEGMENT);
          SegmentReader other = new SegmentReader(context, PATH, SEGMENT)) {
        int first = scan.scan(reader, from, base);
        Found expected = naive(other, from, base, leastLsn);
        assertEquals(expected, new Found(first, scan.records(), scan.seenLsn()), "seed " + seed);
        found += expected.records();
      }
    }
    assertTrue(found > 100, "found " + found);
  }
}
