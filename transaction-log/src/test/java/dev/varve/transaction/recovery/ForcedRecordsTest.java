package dev.varve.transaction.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.transaction.log.DroppedTail;
import dev.varve.transaction.log.LogContext;
import dev.varve.transaction.log.LogCursor;
import dev.varve.transaction.log.LogFixtures;
import dev.varve.transaction.log.LogLoss;
import dev.varve.transaction.log.LogOperation;
import dev.varve.transaction.log.TransactionLog;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: a record that was forced is never taken for one behind the end of the log. Whatever single
 * damage is done to the files of a log, opening finds every forced record or is refused, with the
 * place; with a loss accepted it opens, and says what it dropped. Method: groups of lone updates
 * (nothing else proves what was forced), each forced, over several segments; an image as after the
 * death of the process and one as after a power loss; then each byte flipped, and each file cut,
 * blanked, removed and replaced by each of its own older copies.
 */
final class ForcedRecordsTest {
  private static final int GROUPS = 14;

  /** Bytes between two that are damaged: no multiple of a field's length. */
  private static final int STRIDE = 5;

  private final MemoryFileSystem disk = new MemoryFileSystem();

  /** What each file held after each force, in the order of time. */
  private final Map<Path, List<byte[]>> copies = new TreeMap<>();

  /** Records that each force, from the first on, made durable. */
  private final List<Integer> forced = new ArrayList<>();

  private int refused;
  private int whole;

  private static LogContext context(FileSystem files) {
    return LogFixtures.context(files);
  }

  private static long append(TransactionLog log, RandomGenerator random, int number)
      throws StorageException {
    String text = number + "-".repeat(random.nextInt(90));
    return log.appendLoneUpdate(
        1, LogOperation.UPSERT, LogFixtures.slice("k" + number), LogFixtures.slice(text));
  }

  /** Writes a log and kills its process; {@code tail} records are behind the last force. */
  private void writeALog(long seed, int tail) throws StorageException {
    RandomGenerator random = Seeds.random(seed);
    LogContext context = context(disk);
    TransactionLog log = Recovery.openLog(context, LogFixtures.SMALL, Recovery.analyse(context));
    int records = 0;
    for (int group = 0; group < GROUPS; group++) {
      long last = 0;
      for (int i = random.nextInt(1, 6); i > 0; i--) {
        last = append(log, random, records++);
      }
      log.force(last);
      forced.add(records);
      keepCopies();
    }
    for (int i = 0; i < tail; i++) {
      append(log, random, records++);
    }
    assertTrue(log.stats().segments() >= 3, "segments");
    disk.killProcess();
  }

  private void keepCopies() throws StorageException {
    for (Path path : files()) {
      List<byte[]> kept = copies.computeIfAbsent(path, absent -> new ArrayList<>());
      byte[] now = disk.content(path);
      if (kept.isEmpty() || !Arrays.equals(kept.get(kept.size() - 1), now)) {
        kept.add(now);
      }
    }
  }

  private List<Path> files() throws StorageException {
    return disk.list(LogFixtures.DIRECTORY);
  }

  private static int countRecords(LogContext context, RecoveryPlan plan) throws StorageException {
    int records = 0;
    try (LogCursor cursor = LogCursor.open(context, plan.checkpoint().position())) {
      while (cursor.next() && cursor.record().lsn() < plan.end().lsn()) {
        records++;
      }
    }
    return records;
  }

  private void check(MemoryFileSystem damaged, int least, String what) {
    LogContext context = context(damaged);
    try {
      RecoveryPlan plan = Recovery.analyse(context);
      int records = countRecords(context, plan);
      assertTrue(records >= least, what + ": opened with " + records + " of " + least);
      whole++;
    } catch (CorruptionException e) {
      refused++;
      assertTrue(e.getMessage().contains(LogFixtures.DIRECTORY.toString()), what + ": " + e);
      acceptLoss(context, what);
    } catch (StorageException | RuntimeException | AssertionError e) {
      throw new AssertionError(what + ": " + e, e);
    }
  }

  /** What was refused can be opened all the same, is written to, and opens again. */
  private static void acceptLoss(LogContext context, String what) {
    try {
      RecoveryPlan plan;
      try {
        plan = Recovery.analyse(context, LogLoss.ACCEPT, null);
      } catch (CorruptionException checkpoint) {
        assertTrue(checkpoint.file().endsWith("checkpoint"), what + ": " + checkpoint);
        return;
      }
      DroppedTail dropped = plan.end().dropped();
      assertNotNull(dropped, what);
      assertTrue(dropped.loss(), what);
      assertEquals(plan.end().lsn(), dropped.fromLsn(), what);
      boolean readable = !plan.end().segments().isEmpty();
      int left;
      try (TransactionLog log = Recovery.openLog(context, LogFixtures.SMALL, plan)) {
        log.awaitOpen();
        left = readable ? countRecords(context, plan) : 0;
        assertTrue(log.endLsn() >= dropped.toLsn(), what + ": the log goes on above all it lost");
        log.force(append(log, Seeds.random(1), 1000));
      }
      if (readable) {
        RecoveryPlan again = Recovery.analyse(context);
        assertEquals(left + 1, countRecords(context, again), what);
      }
    } catch (StorageException | RuntimeException e) {
      throw new AssertionError(what + ", accepted: " + e, e);
    }
  }

  private static void replace(MemoryFileSystem files, Path path, byte[] bytes)
      throws StorageException {
    try (StorageFile file = files.open(path, FileSystem.OpenMode.READ_WRITE)) {
      file.truncate(0);
      file.write(0, bytes, 0, bytes.length);
    }
  }

  private MemoryFileSystem image(int number) {
    return disk.crash(number, Seeds.random(number));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3})
  void everyForcedRecordSurvivesOrIsMissedAfterTheDeathOfTheProcess(int tail)
      throws StorageException {
    writeALog(tail, tail);
    int all = forced.get(GROUPS - 1);
    check(image(1), all, "undamaged");
    assertEquals(0, refused);
    for (Path path : files()) {
      flipBytes(path, all, 1);
      cutAndBlank(path, all, 1);
      for (byte[] copy : copies.getOrDefault(path, List.of())) {
        MemoryFileSystem damaged = image(1);
        replace(damaged, path, copy);
        check(damaged, all, path + " as it was before");
      }
      MemoryFileSystem damaged = image(1);
      damaged.delete(path);
      check(damaged, all, path + " missing");
    }
    System.out.println(refused + " refused, " + whole + " whole");
    assertTrue(refused > 500 && whole > 100);
  }

  @Test
  void everyForceButTheLastIsProvenAfterAPowerLoss() throws StorageException {
    writeALog(7, 2);
    check(image(0), forced.get(GROUPS - 1), "undamaged");
    int proven = forced.get(GROUPS - 2);
    for (Path path : files()) {
      flipBytes(path, proven, 0);
    }
    System.out.println(refused + " refused, " + whole + " whole");
    assertTrue(refused > 500 && whole > 100);
  }

  @Test
  void aBlankedSegmentIsMissedAfterAPowerLoss() throws StorageException {
    writeALog(7, 0);
    for (Path path : files()) {
      MemoryFileSystem damaged = image(0);
      replace(damaged, path, new byte[(int) disk.size(path)]);
      check(damaged, forced.get(GROUPS - 1), path + " blanked");
    }
    assertEquals(files().size(), refused);
  }

  private void flipBytes(Path path, int least, int image) throws StorageException {
    for (long position = 0; position < disk.size(path); position += STRIDE) {
      MemoryFileSystem damaged = image(image);
      damaged.damage(path, position, 1 << (position % 8));
      check(damaged, least, path + " byte " + position);
    }
  }

  private void cutAndBlank(Path path, int least, int image) throws StorageException {
    byte[] content = disk.content(path);
    for (int size = 0; size < content.length; size += 61) {
      MemoryFileSystem damaged = image(image);
      replace(damaged, path, Arrays.copyOf(content, size));
      check(damaged, least, path + " cut to " + size);
      damaged = image(image);
      replace(damaged, path, Arrays.copyOf(Arrays.copyOf(content, size), content.length));
      check(damaged, least, path + " blank from " + size);
    }
  }

  @Test
  void whatIsSaidOfAHoleNamesThePlaceAndWhatIsAtStake() throws StorageException {
    LogContext context = context(disk);
    TransactionLog log = Recovery.openLog(context, LogFixtures.SMALL, Recovery.analyse(context));
    List<Long> lsns = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      lsns.add(append(log, Seeds.random(i), i));
    }
    log.force(lsns.get(7));
    long end = log.endLsn();
    disk.killProcess();
    Path segment = LogFixtures.DIRECTORY.resolve("segment-0000000001.log");
    disk.damage(segment, 64 + lsns.get(2) + 30, 1);
    CorruptionException e =
        assertThrows(CorruptionException.class, () -> Recovery.analyse(context));
    assertEquals(segment.toString(), e.file());
    assertEquals(64 + lsns.get(2), e.offset());
    String stake = (end - lsns.get(2)) + " bytes of forced records are at stake";
    assertTrue(e.getMessage().contains(stake), e.getMessage());
    assertTrue(e.getMessage().contains("5 whole records lie behind it"), e.getMessage());
    DroppedTail dropped = Recovery.analyse(context, LogLoss.ACCEPT, null).end().dropped();
    assertNotNull(dropped);
    assertEquals(lsns.get(2), dropped.fromLsn());
    assertEquals(end, dropped.toLsn());
    assertEquals(5, dropped.records());
  }

  @Test
  void damageIsToldFromATornWriteWhereALaterRecordSharesTheSector() throws StorageException {
    LogContext context = context(disk);
    TransactionLog log = Recovery.openLog(context, LogFixtures.SMALL, Recovery.analyse(context));
    long first = log.appendLoneUpdate(1, LogOperation.DELETE, new Slice(), new Slice());
    log.appendLoneUpdate(2, LogOperation.DELETE, new Slice(), new Slice());
    disk.killProcess();
    disk.damage(LogFixtures.DIRECTORY.resolve("segment-0000000001.log"), 64 + first + 8, 1);
    CorruptionException e =
        assertThrows(CorruptionException.class, () -> Recovery.analyse(context));
    assertTrue(e.getMessage().contains("in the same sector"), e.getMessage());
  }

  @Test
  void aTornEndIsCutOffAndTheLogGoesOnAboveAllThatWasSeen() throws StorageException {
    LogContext context = context(disk);
    TransactionLog log = Recovery.openLog(context, LogFixtures.SMALL, Recovery.analyse(context));
    log.force(append(log, Seeds.random(1), 1));
    for (int i = 0; i < 12; i++) {
      append(log, Seeds.random(i), i);
    }
    long end = log.endLsn();
    disk.killProcess();
    // A sector that never reached the disk, with records behind it that did.
    byte[] segment = disk.content(LogFixtures.DIRECTORY.resolve("segment-0000000001.log"));
    Arrays.fill(segment, 512, 1024, (byte) 0);
    replace(disk, LogFixtures.DIRECTORY.resolve("segment-0000000001.log"), segment);
    RecoveryPlan plan = Recovery.analyse(context);
    DroppedTail dropped = plan.end().dropped();
    assertNotNull(dropped);
    assertFalse(dropped.loss());
    assertTrue(dropped.records() > 2, dropped.toString());
    assertEquals(end, dropped.toLsn());
    try (TransactionLog again = Recovery.openLog(context, LogFixtures.SMALL, plan)) {
      long next = append(again, Seeds.random(1), 2);
      assertTrue(next >= end, "LSN " + next + ", but records up to LSN " + end + " were seen");
    }
  }
}
