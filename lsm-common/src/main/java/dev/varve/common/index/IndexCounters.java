package dev.varve.common.index;

import dev.varve.common.disk.DiskComponents;
import dev.varve.common.merge.Observation;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** What an index has done since it was opened. Thread-safe. */
final class IndexCounters {
  final LongAdder flushes = new LongAdder();
  final LongAdder flushedBytes = new LongAdder();
  final LongAdder merges = new LongAdder();
  final LongAdder mergedBytes = new LongAdder();
  final LongAdder repairs = new LongAdder();
  final ProbeCounters filters = new ProbeCounters();
  final LongAdder rangeReads = new LongAdder();
  final LongAdder rangeSkips = new LongAdder();
  private final LongAdder searches = new LongAdder();
  private volatile long searchesForgotten;

  /** A search has begun that looks into so many disk components of level 0 side by side. */
  void searched(int components) {
    if (components > 1) {
      searches.increment();
    }
  }

  /** As {@link Observation#searches}. */
  long searchesSinceChange() {
    return Math.max(0, searches.sum() - searchesForgotten);
  }

  /** The disk components have changed. */
  void forgetSearches() {
    searchesForgotten = searches.sum();
  }

  /** The counts, beside what the index holds. */
  <Q> LsmIndexStats describe(DiskComponents<Q> disk, List<MemoryComponent<Q>> memory) {
    return new LsmIndexStats(
        disk.stats(),
        disk.filters(),
        disk.sizes(),
        memory.stream().mapToLong(component -> component.index().entryCount()).sum(),
        memory.stream().mapToLong(MemoryComponent::usedBytes).sum(),
        memory.size(),
        flushes.sum(),
        merges.sum(),
        repairs.sum(),
        disk.all().stream().mapToLong(each -> each.repair().dead().getLongCardinality()).sum(),
        flushedBytes.sum(),
        mergedBytes.sum(),
        filters.probes(),
        filters.skips(),
        rangeReads.sum(),
        rangeSkips.sum());
  }
}
