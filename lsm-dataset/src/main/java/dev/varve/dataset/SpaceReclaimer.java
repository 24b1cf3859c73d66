package dev.varve.dataset;

import dev.varve.common.env.Clock;
import dev.varve.common.merge.Observation.Writes;
import dev.varve.dataset.internal.partition.NodeContext;
import dev.varve.dataset.internal.partition.NodeHealth;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Has the space of what was deleted given back once nobody writes. Merges are decided after flushes
 * and merges, and where nothing is written there are none of these any more; so it looks at the
 * active datasets from time to time, tells the merge policies of each whether anything was written
 * since, and has it flushed when what was deleted is in memory still and worth it. It never waits.
 * One thread at a time.
 */
final class SpaceReclaimer {
  private static final long LOOK_NANOS = 10_000_000_000L;

  /** How long nothing has to be written. */
  private static final long REST_NANOS = 2 * LOOK_NANOS;

  /** What is written after a flush that was begun here shows at the look after the next. */
  private static final long UNKNOWN = Long.MIN_VALUE;

  private final ActiveDatasets active;
  private final NodeHealth health;
  private final Clock clock;
  private Map<ManagedDataset, Seen> seen = new HashMap<>();
  private long nextLookNanos;

  /**
   * What was seen of a dataset.
   *
   * @param writeMark which writes it had had
   * @param sinceNanos since when it has not been written
   */
  private record Seen(long writeMark, long sinceNanos) {
    boolean rests(long markNow) {
      return writeMark == markNow || writeMark == UNKNOWN;
    }
  }

  SpaceReclaimer(ActiveDatasets active, NodeContext node) {
    this.active = active;
    this.health = node.health();
    this.clock = node.clock();
    this.nextLookNanos = clock.nanoTime() + LOOK_NANOS;
  }

  /** Looks at every active dataset if it is time to. */
  void look() {
    long now = clock.nanoTime();
    if (now < nextLookNanos) {
      return;
    }
    nextLookNanos = now + LOOK_NANOS;
    if (health.closed() || !health.well()) {
      return;
    }
    List<ManagedDataset> datasets = active.list();
    Map<ManagedDataset, Seen> nowSeen = new HashMap<>(2 * datasets.size());
    for (ManagedDataset dataset : datasets) {
      nowSeen.put(dataset, look(dataset, seen.get(dataset), now));
    }
    seen = nowSeen;
  }

  long nanosToNextLook() {
    return Math.max(1, nextLookNanos - clock.nanoTime());
  }

  private static Seen look(ManagedDataset dataset, @Nullable Seen before, long now) {
    long mark = dataset.writeMark();
    if (before == null || !before.rests(mark)) {
      dataset.see(Writes.GO_ON);
      return new Seen(mark, now);
    }
    if (now - before.sinceNanos >= REST_NANOS && dataset.see(Writes.REST)) {
      dataset.writeBuffer().seal();
      return new Seen(UNKNOWN, before.sinceNanos);
    }
    return new Seen(mark, before.sinceNanos);
  }
}
