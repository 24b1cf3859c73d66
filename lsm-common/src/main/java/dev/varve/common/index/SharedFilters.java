package dev.varve.common.index;

import dev.varve.common.disk.DiskComponent;
import dev.varve.common.filter.MemoryFilter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The filters that speak for more than one component: a memory component, those before it, and what
 * was flushed from them. Each is asked once for a key, instead of the filter of every component.
 * Immutable, though the filters take new keys all the time; thread-safe.
 */
final class SharedFilters {
  /**
   * More are not kept, since they take heap where a component's own filter is in the cache, and an
   * index that never merges would have one for every few flushes.
   */
  private static final int MOST = 4;

  private final MemoryFilter[] filters;

  /** By filter: a bit for each component that it speaks for; see {@link #ruledOut}. */
  private final long[] covered;

  /** By component: the number of its filter, or that of none, which is the count of filters. */
  private final int[] ofMemory;

  private final int[] ofFlushed;

  private SharedFilters(List<MemoryFilter> filters, int[] ofMemory, int[] ofFlushed) {
    this.filters = filters.toArray(new MemoryFilter[0]);
    this.covered = new long[filters.size()];
    this.ofMemory = ofMemory;
    this.ofFlushed = ofFlushed;
    addCovered(ofMemory, 0);
    addCovered(ofFlushed, ofMemory.length);
  }

  private void addCovered(int[] numbers, int firstBit) {
    for (int i = 0; i < numbers.length && firstBit + i < Long.SIZE - 1; i++) {
      if (numbers[i] < covered.length) {
        covered[numbers[i]] |= 1L << (firstBit + i);
      }
    }
  }

  /** Whether no component has a filter of this kind. */
  boolean isEmpty() {
    return filters.length == 0;
  }

  /**
   * The newest few filters of some components.
   *
   * @param flushed those of level 0, newest first
   */
  static <Q> SharedFilters of(List<MemoryComponent<Q>> memory, List<DiskComponent<Q>> flushed) {
    List<MemoryFilter> filters = new ArrayList<>();
    int[] ofMemory = new int[memory.size()];
    for (int i = 0; i < ofMemory.length; i++) {
      ofMemory[i] = number(memory.get(i).filter(), filters);
    }
    int[] ofFlushed = new int[flushed.size()];
    for (int i = 0; i < ofFlushed.length; i++) {
      ofFlushed[i] = number(flushed.get(i).sharedFilter(), filters);
    }
    return new SharedFilters(
        filters, orNone(ofMemory, filters.size()), orNone(ofFlushed, filters.size()));
  }

  /** The number of a filter, which is added if it is new and there are few; or -1. */
  private static int number(@Nullable MemoryFilter filter, List<MemoryFilter> filters) {
    if (filter == null) {
      return -1;
    }
    int known = filters.indexOf(filter);
    if (known < 0 && filters.size() < MOST) {
      known = filters.size();
      filters.add(filter);
    }
    return known;
  }

  private static int[] orNone(int[] numbers, int none) {
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = numbers[i] < 0 ? none : numbers[i];
    }
    return numbers;
  }

  /** Has components of level 0 let go of filters that are not among these. */
  <Q> void dropOthers(List<DiskComponent<Q>> flushed) {
    for (int i = 0; i < ofFlushed.length; i++) {
      if (!coversFlushed(i)) {
        flushed.get(i).setSharedFilter(null);
      }
    }
  }

  /** Has the processor fetch what decides about a hash: a number that depends on it. */
  int prefetch(long hash) {
    int sum = 0;
    for (MemoryFilter filter : filters) {
      sum += filter.prefetch(hash);
    }
    return sum;
  }

  /**
   * Asks every filter once.
   *
   * @return a bit for each component that lacks the key, the memory components first, then those of
   *     level 0; of those beyond the bits of a number nothing is said
   */
  long ruledOut(long hash) {
    long ruledOut = 0;
    for (int i = 0; i < filters.length; i++) {
      ruledOut |= filters[i].mightContain(hash) ? 0 : covered[i];
    }
    return ruledOut;
  }

  /** Whether a memory component may hold a key with a hash; asks one filter at most. */
  boolean memoryMayHold(int component, long hash) {
    return mayHold(ofMemory[component], hash);
  }

  /** The same of a component of level 0. */
  boolean flushedMayHold(int component, long hash) {
    return mayHold(ofFlushed[component], hash);
  }

  private boolean mayHold(int filter, long hash) {
    return filter == filters.length || filters[filter].mightContain(hash);
  }

  /** Whether a component of level 0 is spoken for. */
  boolean coversFlushed(int component) {
    return ofFlushed[component] < filters.length;
  }
}
