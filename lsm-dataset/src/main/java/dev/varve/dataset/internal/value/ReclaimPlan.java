package dev.varve.dataset.internal.value;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which files of large values go, and which have to be emptied first: a decision by what of each
 * file is referred to. The emptiest go first, until what is left has a quarter of garbage for what
 * counts, so that together with what is replaced until the next look the values take at most half
 * as much again as those that count.
 *
 * @param dead files that nobody refers to
 * @param emptied files whose values are to be written again
 */
record ReclaimPlan(Set<Long> dead, Set<Long> emptied) {
  /** Garbage for what counts that is not worth writing anything again. */
  private static final double GARBAGE_LEFT = 0.25;

  /** A file and what of it counts. */
  private record Usage(long number, long size, long live) {
    long garbage() {
      return Math.max(0, size - live);
    }

    double share() {
      return (double) garbage() / size;
    }
  }

  /**
   * Plans.
   *
   * @param sizes of the files, by number
   * @param live of each file that is referred to, the bytes of the values that are
   */
  static ReclaimPlan of(Map<Long, Integer> sizes, Map<Long, Long> live) {
    Set<Long> dead = new HashSet<>();
    List<Usage> used = new ArrayList<>();
    long counts = 0;
    long garbage = 0;
    for (Map.Entry<Long, Integer> file : sizes.entrySet()) {
      Usage usage = new Usage(file.getKey(), file.getValue(), live.getOrDefault(file.getKey(), 0L));
      if (usage.live == 0) {
        dead.add(usage.number);
      } else {
        used.add(usage);
        counts += usage.live;
        garbage += usage.garbage();
      }
    }
    used.sort(Comparator.comparingDouble(Usage::share).reversed());
    Set<Long> emptied = new HashSet<>();
    for (Usage usage : used) {
      if (garbage <= counts * GARBAGE_LEFT) {
        break;
      }
      emptied.add(usage.number);
      garbage -= usage.garbage();
    }
    return new ReclaimPlan(dead, emptied);
  }
}
