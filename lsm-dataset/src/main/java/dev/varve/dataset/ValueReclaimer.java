package dev.varve.dataset;

import dev.varve.common.env.Clock;
import dev.varve.common.env.Worker;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.internal.partition.Partition;
import dev.varve.dataset.internal.partition.ValueReclaim;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Has the space of large values given back that nobody can read any more: while they are put, once
 * for so many bytes, and of what was deleted when nothing is written for a while, or every ten
 * minutes. One thread at a time.
 */
final class ValueReclaimer implements Worker {
  private static final Logger LOGGER = LogManager.getLogger(ValueReclaimer.class);
  private static final long LOOK_NANOS = 1_000_000_000L;
  private static final long REST_NANOS = 20 * LOOK_NANOS;
  private static final long LONG_NANOS = 600 * LOOK_NANOS;

  private final ActiveDatasets active;
  private final Clock clock;

  /** Told when something is not quiet any more. */
  private final Runnable watch;

  private Map<ValueReclaim, Seen> seen = new HashMap<>();
  private @Nullable ValueReclaim lastStepped;
  private long napNanos = LOOK_NANOS;

  /**
   * What was seen of a store.
   *
   * @param writeMark which writes it had had
   * @param sinceNanos since when it has not been written
   * @param lookNanos when all of it was looked at last
   */
  private record Seen(long writeMark, long sinceNanos, long lookNanos) {
    boolean isDue(long now) {
      return now - sinceNanos >= REST_NANOS || now - lookNanos >= LONG_NANOS;
    }

    boolean isRetried(long now) {
      return now - lookNanos >= REST_NANOS;
    }
  }

  ValueReclaimer(ActiveDatasets active, Clock clock, Runnable watch) {
    this.active = active;
    this.clock = clock;
    this.watch = watch;
  }

  @Override
  public String name() {
    return "varve-values";
  }

  @Override
  public int doWork() {
    napNanos = LOOK_NANOS;
    Map<ValueReclaim, Seen> nowSeen = new HashMap<>();
    int steps = 0;
    for (ValueReclaim store : stores()) {
      steps += look(store, seen.get(store), nowSeen);
    }
    seen.keySet().stream().filter(store -> !nowSeen.containsKey(store)).forEach(ValueReclaim::end);
    seen = nowSeen;
    return steps;
  }

  /** Those that are open, first the one behind that which had its turn last. */
  private List<ValueReclaim> stores() {
    List<ValueReclaim> stores = new ArrayList<>();
    for (ManagedDataset dataset : active.list()) {
      for (Partition partition : dataset.partitions()) {
        ValueReclaim store = partition.reclaim();
        if (store != null && store.isOpen()) {
          stores.add(store);
        }
      }
    }
    Collections.rotate(stores, -1 - stores.indexOf(lastStepped));
    return stores;
  }

  private int look(ValueReclaim store, @Nullable Seen before, Map<ValueReclaim, Seen> nowSeen) {
    long now = clock.nanoTime();
    long mark = store.writeMark();
    long lookNanos = before == null ? now : before.lookNanos;
    Seen at = before == null || before.writeMark != mark ? new Seen(mark, now, lookNanos) : before;
    long wait = ValueReclaim.ENDED;
    boolean due = store.hasFailed() || store.isDue() || (store.isDueAtRest() && at.isDue(now));
    if ((due || store.isFreed()) && (!store.hasFailed() || at.isRetried(now))) {
      try {
        store.deleteFreed();
        wait = due ? store.step() : wait;
      } catch (StorageException | IllegalStateException refused) {
        // The store's figures say it; the next look finds what is left.
        LOGGER.debug("space of large values was not given back", refused);
      }
      lookNanos = now;
      if (!store.stats().quiet()) {
        watch.run();
      }
    }
    nowSeen.put(store, new Seen(at.writeMark, at.sinceNanos, lookNanos));
    if (wait == 0) {
      lastStepped = store;
      return 1;
    }
    napNanos = wait == ValueReclaim.ENDED ? napNanos : Math.min(napNanos, wait);
    return 0;
  }

  /** Ends what is under way; called when no thread works for this any more. */
  void end() {
    seen.keySet().forEach(ValueReclaim::end);
  }

  @Override
  public long napNanos() {
    return napNanos;
  }

  @Override
  public void failed(Throwable cause) {
    end();
    LOGGER.error("space of large values stays taken until the engine is opened again", cause);
  }
}
