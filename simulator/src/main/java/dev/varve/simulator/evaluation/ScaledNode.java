package dev.varve.simulator.evaluation;

import dev.varve.common.env.Signal;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.EngineSeams;
import dev.varve.dataset.EngineStats;
import dev.varve.dataset.KeyValueSession;
import dev.varve.dataset.KeyValueStore;
import dev.varve.dataset.StorageEngine;
import dev.varve.dataset.model.RecordLimits;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.dataset.options.MergePolicyOptions;
import dev.varve.scheduler.scheduling.FairScheduler;
import dev.varve.scheduler.scheduling.SchedulerText;
import dev.varve.simulator.calibration.Recording;
import dev.varve.simulator.calibration.ShapeRecorder;
import dev.varve.transaction.log.Durability;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;

/**
 * A small node of the real engine: one key-value store or several, which are loaded once and then
 * put under loads. Everything that counts for merges is the engine's own: gate, memory, policy,
 * scheduler, budget, files. Confined to its caller.
 */
public final class ScaledNode {
  private static final String STORE = "updates";
  private static final int PAGE_BYTES = 4096;
  private static final int LOG_SEGMENT_BYTES = 4 << 20;
  private static final RecordLimits LIMITS = new RecordLimits(16 << 10, 8, 8, 256);
  private static final long QUIET_MILLIS = 600_000;
  private static final long NO_BUDGET = 0;

  /** The paper's, and the simulator's: one is written while the other is flushed. */
  private static final double TWO_COMPONENTS = 0.5;

  private final Scale scale;
  private final String policy;
  private final EngineSeams seams;
  private final Path directory;

  /**
   * A node whose files lie, or will lie, in a directory.
   *
   * @param policy as {@code PolicyText} reads it
   */
  public ScaledNode(Scale scale, String policy, EngineSeams seams, Path directory) {
    this.scale = scale;
    this.policy = policy;
    this.seams = seams;
    this.directory = directory;
  }

  /**
   * Loads an empty node: every record once, in random order, without a budget; all merges end
   * before more is flushed, so that every load leaves the same components.
   *
   * @param progress told how many records are loaded
   */
  public void load(LongConsumer progress) throws StorageException {
    KeyValueOptions options =
        KeyValueOptions.DEFAULTS
            .withMemoryBytes(scale.memoryBytes())
            .withMergePolicy(new MergePolicyOptions(policy));
    try (StorageEngine engine =
        StorageEngine.open(options(NO_BUDGET).mergeScheduler(new FairScheduler()).build(), seams)) {
      List<KeyValueStore> stores = new ArrayList<>();
      for (int number = 0; number < scale.stores(); number++) {
        stores.add(engine.createKeyValueStore(STORE + number, options));
      }
      // A little less than what fills the memory, so that every flush is one of these.
      long apart = Math.max(1, scale.flushRecords() * 9 / 10);
      inSessions(
          stores,
          sessions ->
              UpdateWriter.load(
                  scale,
                  sessions,
                  count -> {
                    if (count % apart == 0 || count == scale.records()) {
                      for (KeyValueStore store : stores) {
                        store.flush();
                      }
                      requireQuiet(engine);
                      progress.accept(count);
                    }
                  }));
    }
  }

  /** What a writer does with a session of each store. */
  @FunctionalInterface
  private interface Writing {
    void in(List<KeyValueSession> sessions) throws StorageException;
  }

  @SuppressWarnings("MustBeClosedChecker") // closed in the end, all of them
  private static void inSessions(List<KeyValueStore> stores, Writing writing)
      throws StorageException {
    List<KeyValueSession> sessions = new ArrayList<>();
    try {
      for (KeyValueStore store : stores) {
        sessions.add(store.openSession());
      }
      writing.in(sessions);
    } finally {
      for (KeyValueSession session : sessions) {
        session.close();
      }
    }
  }

  private static void requireQuiet(StorageEngine engine) {
    if (!engine.awaitQuiet(QUIET_MILLIS)) {
      throw new IllegalStateException("merges of the load do not come to an end");
    }
  }

  /** Updates the loaded node under the budget. */
  public Run run(Load load, WriteListener listener) throws StorageException {
    List<ShapeRecorder> shapes = new ArrayList<>();
    EngineOptions options =
        options(scale.budgetBytesPerSecond())
            .mergeScheduler(SchedulerText.parse(load.scheduler()))
            .tuner(load.tuner())
            .build();
    Signal pause = seams.executor().newSignal();
    EngineSeams watched = seams.withPolicies(policy -> shapes.get(shapes.size() - 1).watch(policy));
    try (StorageEngine engine = StorageEngine.open(options, watched)) {
      UpdateWriter writer =
          new UpdateWriter(scale, load, seams.clock(), pause, new SplittableRandom(scale.seed()));
      requireQuiet(engine);
      List<KeyValueStore> stores = new ArrayList<>();
      for (int number = 0; number < scale.stores(); number++) {
        shapes.add(new ShapeRecorder(seams.clock()));
        KeyValueStore store = engine.keyValueStore(STORE + number);
        // Opens the indexes, which a dataset's first use does, and asks their policy.
        store.stats();
        stores.add(store);
      }
      inSessions(stores, sessions -> writer.run(sessions, listener));
      List<EngineStats.StallSummary> stalls = engine.stats().stalls();
      List<Recording> recordings =
          shapes.stream().map(each -> recording(load, writer, each, stalls)).toList();
      return new Run(
          recordings.get(0), components(recordings), stalls, writer.taken(), writer.queued());
    }
  }

  private static List<Double> components(List<Recording> recordings) {
    List<Double> sums = new ArrayList<>(recordings.get(0).components());
    for (Recording recording : recordings.subList(1, recordings.size())) {
      List<Double> more = recording.components();
      for (int window = 0; window < sums.size(); window++) {
        sums.set(window, sums.get(window) + more.get(window));
      }
    }
    return sums;
  }

  private Recording recording(
      Load load, UpdateWriter writer, ShapeRecorder shapes, List<EngineStats.StallSummary> stalls) {
    double stalled = stalls.stream().mapToLong(EngineStats.StallSummary::totalNanos).sum() / 1e9;
    double free = Math.max(load.time().windowSeconds(), load.time().seconds() - stalled);
    double fastest = Math.min(load.recordsPerSecond(), writer.taken() / free);
    return new Recording(
        new Recording.Setting(
            policy,
            load.scheduler(),
            load.arrivals(),
            scale.records(),
            scale.budgetBytesPerSecond(),
            load.time()),
        fastest,
        shapes.since(writer.beginNanos()).stream()
            .filter(moment -> moment.seconds() < load.time().seconds())
            .toList(),
        writer.windows());
  }

  private EngineOptions.Builder options(long budget) {
    return EngineOptions.builder(directory)
        .pageBytes(PAGE_BYTES)
        .cacheBytes(32L << 20)
        .durability(Durability.PROCESS_CRASH)
        .logSegmentBytes(LOG_SEGMENT_BYTES)
        .logRetentionBytes(16L * LOG_SEGMENT_BYTES)
        .recordLimits(LIMITS)
        .sealAtFraction(TWO_COMPONENTS)
        .ioBytesPerSecond(budget);
  }
}
