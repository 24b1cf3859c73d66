package dev.varve.transaction.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.TextCases;
import dev.varve.transaction.checkpoint.Checkpoint;
import dev.varve.transaction.checkpoint.CheckpointFile;
import dev.varve.transaction.log.LogContext;
import dev.varve.transaction.log.LogFixtures;
import dev.varve.transaction.log.LogOperation;
import dev.varve.transaction.log.LogRecord;
import dev.varve.transaction.log.LogUpdate;
import dev.varve.transaction.log.TransactionLog;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Goal: the plan that analysis makes and what redo does with it are those of the 2014 paper,
 * section 4.4. Method: text cases. A case writes a log, line by line; its updates are numbered 0,
 * 40, 80, ... as in the paper's figure 2, where each is 40 bytes long and commits do not count.
 *
 * <pre>
 *  insert|upsert|delete T1 PIdx key    one update
 *  commit T1, abort T1                 the end of a transaction
 *  low 80                              checkpoint whose low-water mark is this update
 *  index PIdx 40                       index LSN at recovery
 *  drop PIdx                           index that is gone at recovery
 * </pre>
 */
final class RecoveryTest {
  /** A case while it runs. */
  private static final class Case implements RedoTarget {
    final LogContext context = LogFixtures.context(new MemoryFileSystem());
    final CheckpointFile checkpoint = new CheckpointFile(context);
    final List<String> answer = new ArrayList<>();
    final List<Long> lsns = new ArrayList<>();
    final Map<String, Long> lastLsns = new HashMap<>();
    final Map<String, Integer> indexes = new HashMap<>();
    final Map<Integer, Long> indexLsns = new HashMap<>();
    final TransactionLog log;

    Case() throws StorageException {
      log = Recovery.openLog(context, LogFixtures.SMALL, Recovery.analyse(context));
    }

    int index(String name) {
      return indexes.computeIfAbsent(name, absent -> indexes.size() + 1);
    }

    long real(String mockLsn) {
      int update = Integer.parseInt(mockLsn) / 40;
      return update == lsns.size() ? log.endLsn() : lsns.get(update);
    }

    String mock(long lsn) {
      return lsn < 0 ? "-1" : String.valueOf(40 * lsns.indexOf(lsn));
    }

    void run(String line) throws StorageException {
      String[] words = line.split(" ");
      switch (words[0]) {
        case "commit" -> log.force(log.appendCommit(id(words[1]), last(words[1])));
        case "abort" -> log.appendAbort(id(words[1]), last(words[1]));
        case "low" ->
            checkpoint.advance(
                Checkpoint.Kind.RUNNING, log, real(words[1]), 1, Collections.emptySortedMap());
        case "index" -> indexLsns.put(index(words[1]), real(words[2]));
        case "drop" -> indexLsns.put(index(words[1]), RedoTarget.DROPPED);
        default -> {
          LogOperation operation = LogOperation.valueOf(words[0].toUpperCase(Locale.ROOT));
          LogUpdate update =
              new LogUpdate()
                  .transaction(id(words[1]))
                  .previousLsn(last(words[1]))
                  .change(index(words[2]), operation)
                  .entry(LogFixtures.slice(words[3]), new Slice());
          long lsn = log.appendUpdate(update);
          lsns.add(lsn);
          answer.add(
              mock(lsn)
                  + " "
                  + words[1]
                  + " prev "
                  + mock(last(words[1]))
                  + " "
                  + words[2]
                  + " "
                  + words[0]
                  + " "
                  + words[3]);
          lastLsns.put(words[1], lsn);
        }
      }
    }

    long id(String name) {
      return Long.parseLong(name.substring(1));
    }

    long last(String name) {
      return lastLsns.getOrDefault(name, -1L);
    }

    @Override
    public long indexLsn(int index) {
      return indexLsns.getOrDefault(index, -1L);
    }

    @Override
    public void redo(LogRecord update) {
      String name =
          indexes.entrySet().stream()
              .filter(e -> e.getValue() == update.index())
              .map(Map.Entry::getKey)
              .findFirst()
              .orElseThrow();
      answer.add(
          "redo "
              + mock(update.lsn())
              + " "
              + name
              + " "
              + update.operation().toString().toLowerCase(Locale.ROOT)
              + " "
              + new String(update.key().toByteArray(), StandardCharsets.UTF_8));
    }
  }

  @Test
  void plansAndRedosAreThoseOfTheCases() throws Exception {
    TextCases.run(
        RecoveryTest.class,
        "recovery.txt",
        (name, input) -> {
          Case run = new Case();
          for (String line : input) {
            run.run(line);
          }
          run.log.close();
          RecoveryPlan plan = Recovery.analyse(run.context);
          RecoveryPlan.Counts counts = plan.counts();
          run.answer.add(
              "committed "
                  + counts.committed()
                  + ", aborted "
                  + counts.aborted()
                  + ", open "
                  + counts.open()
                  + ", next T"
                  + plan.nextTransaction());
          RecoveryReport first = Recovery.redo(run.context, plan, run);
          int answers = run.answer.size();
          assertEquals(first, Recovery.redo(run.context, plan, run), "redo is repeatable");
          run.answer.subList(answers, run.answer.size()).clear();
          run.answer.add(
              "skipped "
                  + first.skippedUncommitted()
                  + " uncommitted, "
                  + first.skippedInIndex()
                  + " in the index");
          return String.join("\n", run.answer);
        });
  }

  @Test
  void aFirstStartHasNothingToRecover() throws StorageException {
    LogContext context = LogFixtures.context(new MemoryFileSystem());
    RecoveryPlan plan = Recovery.analyse(context);
    assertTrue(plan.clean());
    assertEquals(1, plan.nextTransaction());
    try (TransactionLog log = Recovery.openLog(context, LogFixtures.SMALL, plan)) {
      assertEquals(0, log.endLsn());
      assertEquals(Checkpoint.Kind.RUNNING, new CheckpointFile(context).read().kind());
    }
  }

  /** Behind the end is a seal that leads to a segment which the log deletes beside the redo. */
  @Test
  void theRedoReadsNothingBehindTheEndWhereTheLogIsAtWork() throws StorageException {
    MemoryFileSystem disk = new MemoryFileSystem();
    LogContext killed = LogFixtures.context(disk);
    TransactionLog first = Recovery.openLog(killed, LogFixtures.SMALL, Recovery.analyse(killed));
    int updates = 0;
    while (first.stats().segments() == 1) {
      first.appendLoneUpdate(1, LogOperation.UPSERT, LogFixtures.slice("key"), new Slice());
      updates++;
    }
    disk.killProcess();
    Path unused = LogFixtures.DIRECTORY.resolve("segment-0000000002.log");
    try (StorageFile file = disk.open(unused, FileSystem.OpenMode.READ_WRITE)) {
      file.write(0, new byte[(int) file.size()], 0, (int) file.size());
    }
    LogContext context = LogFixtures.context(disk);
    RecoveryPlan plan = Recovery.analyse(context);
    assertEquals(2, plan.end().unusedSegment());
    try (TransactionLog log = Recovery.openLog(context, LogFixtures.SMALL, plan)) {
      RecoveryReport report = Recovery.redo(context, plan, new Opening(log));
      assertFalse(disk.exists(unused));
      assertEquals(updates - 1, report.redone(), "all but the one in the unused segment");
    }
  }

  /** Redone while the log becomes open. */
  private record Opening(TransactionLog log) implements RedoTarget {
    @Override
    public long indexLsn(int index) {
      return -1;
    }

    @Override
    public void redo(LogRecord update) throws StorageException {
      log.awaitOpen();
    }
  }

  @Test
  void brokenChainsAreRefused() throws StorageException {
    // Each of them: transaction, previous LSN; the second update is at LSN 44.
    long[][] chains = {
      {1, -1, 1, -1}, // the second update forgets the first
      {1, -1, 1, 7}, // ... names another
      {1, -1, 2, 0}, // ... continues somebody else's
    };
    for (long[] chain : chains) {
      LogContext context = LogFixtures.context(new MemoryFileSystem());
      try (TransactionLog log =
          Recovery.openLog(context, LogFixtures.SMALL, Recovery.analyse(context))) {
        for (int i = 0; i < chain.length; i += 2) {
          log.appendUpdate(new LogUpdate().transaction(chain[i]).previousLsn(chain[i + 1]));
        }
        log.force(log.appendCommit(9, -1));
      }
      CorruptionException e =
          assertThrows(CorruptionException.class, () -> Recovery.analyse(context));
      assertTrue(e.getMessage().contains("previous LSN"), e.getMessage());
      assertNotEquals(-1, e.offset());
    }
  }

  @Test
  void recordsAfterTheEndOfATransactionAreRefused() throws StorageException {
    LogContext context = LogFixtures.context(new MemoryFileSystem());
    try (TransactionLog log =
        Recovery.openLog(context, LogFixtures.SMALL, Recovery.analyse(context))) {
      long lsn = log.appendUpdate(new LogUpdate().transaction(1));
      log.appendCommit(1, lsn);
      log.appendUpdate(new LogUpdate().transaction(1));
    }
    assertThrows(CorruptionException.class, () -> Recovery.analyse(context));
  }

  @Test
  void transactionIdsAreASetWhateverTheirPages() {
    TransactionSet set = new TransactionSet();
    long[] ids = {0, 1, 63, 64, 65_535, 65_536, 1L << 40, Long.MAX_VALUE};
    for (long id : ids) {
      assertTrue(set.add(id));
    }
    for (long id : ids) {
      assertTrue(set.contains(id));
    }
    for (long id : new long[] {2, 62, 66, 65_534, 65_537, (1L << 40) + 1, Long.MAX_VALUE - 1}) {
      assertEquals(false, set.contains(id));
    }
    assertEquals(false, set.add(64));
    assertEquals(ids.length, set.size());
  }
}
