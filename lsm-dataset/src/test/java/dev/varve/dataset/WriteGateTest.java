package dev.varve.dataset;

import static dev.varve.dataset.TestStore.causes;
import static dev.varve.dataset.TestStore.index;
import static dev.varve.dataset.TestStore.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.env.Worker;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.dataset.options.MergePolicyOptions;
import dev.varve.scheduler.admission.StallCause;
import dev.varve.scheduler.admission.WriteConditions;
import dev.varve.scheduler.admission.WriteGate;
import dev.varve.scheduler.admission.WriteGate.Decision;
import dev.varve.scheduler.admission.WriteGates;
import dev.varve.scheduler.scheduling.SchedulerText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: the engine obeys its write gate and its merge scheduler, whichever they are, and accounts
 * for every wait. Method: virtual time, which moves only while somebody waits.
 */
class WriteGateTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long DEVICE = 1_000_000;

  private final TestStore store = TestStore.empty(11);

  private static KeyValueOptions pairs(String policy) {
    return KeyValueOptions.DEFAULTS
        .withMemoryBytes(1 << 20)
        .withMergePolicy(new MergePolicyOptions(policy));
  }

  private static EngineOptions.Builder options() {
    return TestStore.options().logRetentionBytes(64 << 20);
  }

  private static long waited(StorageEngine engine) throws StorageException {
    return engine.stats().stalls().stream().mapToLong(EngineStats.StallSummary::totalNanos).sum();
  }

  @Test
  void aCapKeepsWritersToItsRate() throws StorageException {
    try (StorageEngine engine =
        store.open(options().writeGate(WriteGates.parse("cap(200000)")).build())) {
      KeyValueStore pairs = engine.createKeyValueStore("pairs", pairs("constant(3)"));
      long begin = store.clock.nanoTime();
      try (KeyValueSession session = pairs.openSession()) {
        for (int i = 0; i < 3000; i++) {
          put(session, i);
        }
        session.force();
      }
      double seconds = (double) (store.clock.nanoTime() - begin) / SECOND;
      double due = 3000 * (1000 + 64) / 200_000.0;
      assertEquals(due, seconds, 0.05 * due);
      assertEquals(List.of("PACE"), causes(engine));
    }
  }

  /** Keeps writers out until a time, whatever there is, and counts how often it is asked. */
  private static final class Curfew implements WriteGate {
    private final TestStore store;
    private final StallCause cause;
    private int asked;

    Curfew(TestStore store, StallCause cause) {
      this.store = store;
      this.cause = cause;
    }

    @Override
    public Decision decide(WriteConditions conditions) {
      assertTrue(asked++ < 10_000, "asked over and over");
      return store.clock.nanoTime() < 20 * SECOND
          ? new Decision.Closed(cause, "the curfew")
          : new Decision.Open();
    }

    @Override
    public String describe() {
      return "curfew";
    }
  }

  @ParameterizedTest
  @EnumSource(StallCause.class)
  void aGateThatKeepsWritersOutWhileThereIsRoomIsAskedNowAndThen(StallCause cause)
      throws StorageException {
    Curfew curfew = new Curfew(store, cause);
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs = engine.createKeyValueStore("pairs", pairs("constant(3)"));
      engine.setGate(curfew);
      try (KeyValueSession session = pairs.openSession()) {
        put(session, 1);
        session.force();
      }
      assertTrue(store.clock.nanoTime() >= 20 * SECOND, "time " + store.clock.nanoTime());
      assertTrue(curfew.asked > 1, "asked " + curfew.asked);
      assertEquals(List.of(cause.name()), causes(engine));
    }
  }

  @Test
  void aSlowingGateSpreadsTheWaitsOutBeforeTheLimitIsReached() throws StorageException {
    long stopping;
    try (StorageEngine engine = store.open(options().ioBytesPerSecond(DEVICE).build())) {
      stopping = longestWait(engine, store);
      assertTrue(causes(engine).contains("COMPONENT_LIMIT"), causes(engine).toString());
    }
    TestStore other = TestStore.empty(11);
    EngineOptions slow =
        options().ioBytesPerSecond(DEVICE).writeGate(WriteGates.parse("slow(0.3, 600k)")).build();
    try (StorageEngine engine = other.open(slow)) {
      long slowing = longestWait(engine, other);
      assertTrue(causes(engine).contains("PACE"), causes(engine).toString());
      assertTrue(slowing < stopping, slowing + " and " + stopping);
    }
  }

  @Test
  void theControllerSlowsWritersDownByLevelZeroAndByWhatWaitsForMerges() throws StorageException {
    assertEquals(
        List.of("LEVEL_ZERO_PACE", "LEVEL_ZERO"), controlled("controller(3, 100, 64m, 64m, 200k)"));
    assertEquals(
        List.of("COMPONENT_LIMIT", "LEVEL_ZERO"), controlled("controller(3, 3, 64m, 64m, 200k)"));
    assertEquals(
        List.of("PENDING_BYTES_PACE", "PENDING_BYTES"),
        controlled("controller(90, 100, 1m, 64m, 200k)"));
    assertEquals(
        List.of("PENDING_BYTES", "PENDING_BYTES"), controlled("controller(90, 100, 1m, 1m, 200k)"));
  }

  /** The cause and the class of the longest waits. */
  private static List<String> controlled(String gate) throws StorageException {
    TestStore store = TestStore.empty(12);
    EngineOptions options =
        options().ioBytesPerSecond(DEVICE).writeGate(WriteGates.parse(gate)).build();
    try (StorageEngine engine = store.open(options)) {
      KeyValueStore pairs = engine.createKeyValueStore("pairs", pairs("constant(3) limit 200"));
      try (KeyValueSession session = pairs.openSession()) {
        for (int i = 0; i < 6000; i++) {
          put(session, i);
        }
        session.force();
      }
      EngineStats stats = engine.stats();
      assertTrue(engine.awaitQuiet(3_600_000));
      assertEquals(List.of(), engine.stats().scheduling().broken());
      return List.of(longest(stats.stalls()), longest(stats.flow().stallClasses()));
    }
  }

  private static String longest(List<EngineStats.StallSummary> stalls) {
    return stalls.stream()
        .max(Comparator.comparingLong(EngineStats.StallSummary::totalNanos))
        .map(EngineStats.StallSummary::cause)
        .orElse("none");
  }

  /** Writes, and compares what the causes add up to with the time that writers waited. */
  private static long longestWait(StorageEngine engine, TestStore store) throws StorageException {
    KeyValueStore pairs = engine.createKeyValueStore("pairs", pairs("constant(3) limit 4"));
    long longest = 0;
    long all = 0;
    try (KeyValueSession session = pairs.openSession()) {
      for (int i = 0; i < 6000; i++) {
        long before = store.clock.nanoTime();
        put(session, i);
        long wait = store.clock.nanoTime() - before;
        longest = Math.max(longest, wait);
        all += wait;
      }
      session.force();
    }
    assertTrue(all > SECOND, "waited " + all);
    assertEquals(all, waited(engine), "the causes do not add up to the time waited");
    return longest;
  }

  @Test
  void aWaitThatBeginsForAFlushIsOneForMergesFromTheEndOfTheFlushOn() throws StorageException {
    try (StorageEngine engine = store.open(options().ioBytesPerSecond(DEVICE).build())) {
      KeyValueStore pairs = engine.createKeyValueStore("pairs", pairs("constant(3) limit 4"));
      try (KeyValueSession session = pairs.openSession()) {
        for (int i = 0; i < 8000; i++) {
          put(session, i);
        }
      }
      double flushing = (double) index(pairs).flushedBytes() / DEVICE;
      double forFlushes = waited(engine, "MEMORY_FULL");
      assertTrue(forFlushes <= 1.05 * flushing, forFlushes + " s for flushes of " + flushing);
      assertTrue(waited(engine, "COMPONENT_LIMIT") > 5, engine.stats().stalls().toString());
    }
  }

  private static double waited(StorageEngine engine, String cause) throws StorageException {
    return engine.stats().stalls().stream()
        .filter(stall -> stall.cause().equals(cause))
        .mapToDouble(stall -> (double) stall.totalNanos() / SECOND)
        .sum();
  }

  @Test
  void writersWaitForTheLogWhenAFlushLagsBehindIt() throws StorageException {
    int retention = 512 << 10;
    EngineOptions options =
        TestStore.options().ioBytesPerSecond(100_000).logRetentionBytes(retention).build();
    try (StorageEngine engine = store.open(options)) {
      KeyValueStore pairs =
          engine.createKeyValueStore("pairs", pairs("none").withMemoryBytes(16 << 20));
      long longest = 0;
      try (KeyValueSession session = pairs.openSession()) {
        for (int i = 0; i < 4000; i++) {
          // Few keys: they fill the log and no memory.
          put(session, i % 300);
          longest = Math.max(longest, engine.stats().log().endLsn() - index(pairs).redoPosition());
        }
        session.force();
      }
      assertEquals(List.of("LOG_SPACE"), causes(engine));
      assertTrue(longest <= 2L * retention + (128 << 10), "log of " + longest);
      assertTrue(engine.awaitQuiet(3_600_000));
    }
  }

  @Test
  void theGateIsSetAnewWhileAWriterWaits() throws StorageException {
    try (StorageEngine engine =
        store.open(options().writeGate(WriteGates.parse("cap(1)")).build())) {
      KeyValueStore pairs = engine.createKeyValueStore("pairs", pairs("none"));
      long begin = store.clock.nanoTime();
      try (KeyValueSession session = pairs.openSession()) {
        put(session, 0);
        store.executor.start(new GateOpener(engine));
        for (int i = 0; i < 300; i++) {
          put(session, i);
        }
        session.force();
      }
      assertEquals(List.of("PACE"), causes(engine));
      assertTrue(store.clock.nanoTime() - begin <= SECOND, "the new gate lets writers in at once");
      assertEquals("stop", engine.stats().scheduling().gate());
    }
  }

  /** Runs for the first time when somebody waits. */
  private static final class GateOpener implements Worker {
    private final StorageEngine engine;

    GateOpener(StorageEngine engine) {
      this.engine = engine;
    }

    @Override
    public String name() {
      return "gate opener";
    }

    @Override
    public int doWork() {
      try {
        if (causes(engine).isEmpty()) {
          return 0;
        }
      } catch (StorageException e) {
        throw new IllegalStateException(e);
      }
      engine.setGate(WriteGates.parse("stop"));
      return 0;
    }

    @Override
    public long napNanos() {
      return SECOND / 10;
    }

    @Override
    public void failed(Throwable cause) {
      throw new AssertionError(cause);
    }
  }

  @Test
  void everySchedulerRunsOnTheEngineAndMayBeChangedOnTheWay() throws StorageException {
    List<String> schedulers =
        List.of("single", "arrival(2)", "greedy(1)", "greedy(3)", "bounded-greedy(8)", "fair");
    EngineOptions options =
        options()
            .ioBytesPerSecond(4 * DEVICE)
            .mergeScheduler(SchedulerText.parse("gear(500000)"))
            .build();
    try (StorageEngine engine = store.open(options)) {
      assertEquals("gear(500000)", engine.stats().scheduling().scheduler());
      KeyValueStore first = engine.createKeyValueStore("first", pairs("tiering(2)"));
      KeyValueStore second = engine.createKeyValueStore("second", pairs("leveling(3)"));
      for (String scheduler : schedulers) {
        engine.setScheduler(SchedulerText.parse(scheduler));
        assertEquals(scheduler, engine.stats().scheduling().scheduler());
        try (KeyValueSession one = first.openSession();
            KeyValueSession two = second.openSession()) {
          for (int i = 0; i < 1500; i++) {
            put(one, i);
            put(two, i);
          }
        }
      }
      assertTrue(engine.awaitQuiet(3_600_000));
      assertEquals(List.of(), engine.verify().problems());
      assertTrue(index(first).merges() > 5, first.stats().toString());
      assertTrue(index(second).merges() > 5, second.stats().toString());
    }
  }

  @Test
  void asManyMergesWriteAtTheSameMomentAsTheOptionsSay() throws StorageException {
    try (StorageEngine engine = store.open(options().mergeThreads(3).build())) {
      List<String> merging = new ArrayList<>();
      for (String worker : store.executor.runnable()) {
        if (worker.startsWith("varve-merge-")) {
          merging.add(worker);
        }
      }
      assertEquals(List.of("varve-merge-1", "varve-merge-2", "varve-merge-3"), merging);
      assertTrue(engine.awaitQuiet(1));
    }
  }

  @Test
  void flushesAndMergesTogetherKeepToTheBudget() throws StorageException {
    try (StorageEngine engine = store.open(options().ioBytesPerSecond(DEVICE).build())) {
      KeyValueStore pairs = engine.createKeyValueStore("pairs", pairs("constant(3) limit 4"));
      long begin = store.clock.nanoTime();
      try (KeyValueSession session = pairs.openSession()) {
        for (int i = 0; i < 8000; i++) {
          put(session, i);
        }
      }
      double seconds = (double) (store.clock.nanoTime() - begin) / SECOND;
      double bytes = index(pairs).flushedBytes() + index(pairs).mergedBytes();
      assertTrue(seconds > 10, "seconds: " + seconds);
      assertTrue(bytes <= 1.05 * DEVICE * seconds, bytes + " bytes in " + seconds + " s");
      assertTrue(bytes >= 0.85 * DEVICE * seconds, bytes + " bytes in " + seconds + " s");
    }
  }

  @Test
  void aMergePolicyIsChangedAtOnceAndForGood() throws StorageException {
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs = engine.createKeyValueStore("pairs", pairs("none"));
      flushOften(pairs, 8);
      assertEquals(8, index(pairs).components().size());
      pairs.setMergePolicy(new MergePolicyOptions("constant(3)"));
      assertTrue(engine.awaitQuiet(60_000));
      assertEquals(1, index(pairs).components().size());
    }
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs = engine.keyValueStore("pairs");
      flushOften(pairs, 4);
      assertTrue(engine.awaitQuiet(60_000));
      assertTrue(index(pairs).components().size() < 3, pairs.stats().toString());
    }
  }

  private static void flushOften(KeyValueStore pairs, int times) throws StorageException {
    for (int round = 0; round < times; round++) {
      try (KeyValueSession session = pairs.openSession()) {
        put(session, round);
      }
      pairs.flush();
    }
  }

  @Test
  void whatIsLeftOfTheMemoryIsWrittenWhileTheRestIsFlushed() throws StorageException {
    int budget = 8 << 20;
    for (double part : List.of(0.5, 0.7, 0.9)) {
      TestStore other = TestStore.empty(11);
      EngineOptions slow = options().ioBytesPerSecond(DEVICE).sealAtFraction(part).build();
      try (StorageEngine engine = other.open(slow)) {
        KeyValueStore pairs =
            engine.createKeyValueStore("pairs", pairs("none").withMemoryBytes(budget));
        long most = 0;
        long firstWait = 0;
        try (KeyValueSession session = pairs.openSession()) {
          for (int i = 0; i < 30_000; i++) {
            long before = other.clock.nanoTime();
            put(session, i);
            firstWait = firstWait == 0 && other.clock.nanoTime() > before ? i : firstWait;
            most = Math.max(most, index(pairs).memoryBytes());
          }
        }
        assertTrue(engine.awaitQuiet(3_600_000));
        // A chunk of memory and what is written between two looks may come on top.
        assertTrue(most <= budget + (1 << 20) + (64 << 10), part + ": held " + most);
        assertTrue(most >= 0.95 * budget, part + ": held " + most);
        long perFlush = index(pairs).flushedBytes() / index(pairs).flushes();
        assertTrue(perFlush > 0.6 * part * budget, part + ": flushes of " + perFlush);
        assertTrue(firstWait > 0.8 * budget / 1000, part + ": first wait at " + firstWait);
        assertEquals(List.of("MEMORY_FULL"), causes(engine));
      }
    }
  }

  @Test
  void datasetsOfEqualLoadAreNotFlushedAtTheSameTime() throws StorageException {
    try (StorageEngine engine = store.open(options().build())) {
      List<KeyValueStore> stores = new ArrayList<>();
      List<KeyValueSession> sessions = new ArrayList<>();
      List<Integer> flushedInRound = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        stores.add(engine.createKeyValueStore("s" + i, pairs("none")));
        sessions.add(stores.get(i).openSession());
        flushedInRound.add(0);
      }
      for (int round = 1; round <= 800; round++) {
        for (int i = 0; i < 6; i++) {
          put(sessions.get(i), round);
          if (flushedInRound.get(i) == 0
              && engine.awaitQuiet(1000)
              && index(stores.get(i)).flushes() > 0) {
            flushedInRound.set(i, round);
          }
        }
      }
      for (KeyValueSession session : sessions) {
        session.close();
      }
      assertFalse(flushedInRound.contains(0), flushedInRound.toString());
      assertTrue(flushedInRound.stream().distinct().count() >= 4, flushedInRound.toString());
    }
  }
}
