package dev.varve.simulator;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.merge.KeyInterval;
import dev.varve.common.merge.PartitionedPolicy;
import dev.varve.common.merge.PartitionedShape.Level;
import dev.varve.common.merge.RangedComponent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;

/**
 * What becomes of key ranges in merges. Keys are positions in a space, along which they are spread
 * evenly, the popular ones among them too; so a part of the space is to its part of the loads and
 * updates what the space is to all of them. Pure but for the numbers that it is given.
 */
final class RangeMerger {
  /** Where the key space ends. */
  static final long END = 1L << 62;

  private final SimulatedTree tree;
  private final PartitionedPolicy policy;

  RangeMerger(SimulatedTree tree, PartitionedPolicy policy) {
    this.tree = tree;
    this.policy = policy;
  }

  /** A component that is there in the beginning, all of loaded keys. */
  static SimulatedRange there(RangedComponent stats) {
    return new SimulatedRange(
        stats,
        position(stats.keys().smallest()),
        position(stats.keys().largest()) + 1,
        stats.entries(),
        0);
  }

  /** A memory component, which holds keys of the whole space. */
  SimulatedRange flush(long number, double loaded, double updates) {
    return range(number, 0, END, new Sums(loaded, updates));
  }

  /** What would be left of all if they were merged. */
  long bytesOfAll(List<SimulatedRange> all) {
    double loaded = all.stream().mapToDouble(SimulatedRange::loaded).sum();
    double updates = all.stream().mapToDouble(SimulatedRange::updates).sum();
    return bytes(0, END, new Sums(loaded, updates));
  }

  /**
   * Merges ranges into new ones of the size of a component, and a smaller one in the end.
   *
   * @param after the level behind that of the new ones
   * @param numbers gives each of them its number
   */
  List<SimulatedRange> merge(List<SimulatedRange> inputs, Level after, LongSupplier numbers) {
    Cutter cutter = new Cutter(numbers);
    NavigableMap<Long, Long> behind = endsOf(after, inputs);
    for (Segment segment : segments(inputs, behind.keySet())) {
      cutter.add(segment);
      Long ended = behind.get(segment.to);
      cutter.passed(segment.to, ended == null ? 0 : ended);
    }
    return cutter.end();
  }

  /** Where components of the level behind end, among the inputs, and how large they are. */
  private static NavigableMap<Long, Long> endsOf(Level after, List<SimulatedRange> inputs) {
    long from = inputs.stream().mapToLong(SimulatedRange::from).min().orElseThrow();
    long to = inputs.stream().mapToLong(SimulatedRange::to).max().orElseThrow();
    NavigableMap<Long, Long> ends = new TreeMap<>();
    for (RangedComponent each : after.overlapping(new KeyInterval(key(from), key(to - 1)))) {
      long end = position(each.keys().largest()) + 1;
      if (end < to) {
        ends.put(end, each.bytes());
      }
    }
    return ends;
  }

  /** Cuts what a merge writes into components. */
  private final class Cutter {
    private final LongSupplier numbers;
    private final List<SimulatedRange> outputs = new ArrayList<>();
    private Sums open = Sums.NONE;
    private long openFrom = -1;
    private long openTo;
    private double openBytes;
    private double overlapped;

    Cutter(LongSupplier numbers) {
      this.numbers = numbers;
    }

    void add(Segment segment) {
      if (segment.sums.isNone()) {
        // A gap between inputs: a component that has begun reaches over it, unless it is cut.
        return;
      }
      double density = exactBytes(segment.from, segment.to, segment.sums) / segment.length();
      long from = segment.from;
      openFrom = openFrom < 0 ? from : openFrom;
      while (openBytes + density * (segment.to - from) >= policy.componentBytes()) {
        long cut = from + Math.max(1, Math.round((policy.componentBytes() - openBytes) / density));
        if (cut >= segment.to) {
          break;
        }
        take(segment, from, cut, density);
        close();
        from = cut;
        openFrom = cut;
      }
      take(segment, from, segment.to, density);
    }

    private void take(Segment segment, long from, long to, double density) {
      open = open.plus(segment.sums.part((double) (to - from) / segment.length()));
      openBytes += density * (to - from);
      openTo = to;
    }

    /** A component of the level behind ends here. */
    void passed(long end, long bytes) {
      overlapped += openFrom >= 0 ? bytes : 0;
      if (overlapped > policy.overlapBytes() && openTo == end) {
        close();
      }
    }

    private void close() {
      if (openFrom >= 0) {
        outputs.add(range(numbers.getAsLong(), openFrom, openTo, open));
      }
      open = Sums.NONE;
      openFrom = -1;
      openBytes = 0;
      overlapped = 0;
    }

    List<SimulatedRange> end() {
      close();
      return outputs;
    }
  }

  /** Loads and updates of some part of the space. */
  private record Sums(double loaded, double updates) {
    static final Sums NONE = new Sums(0, 0);

    boolean isNone() {
      return loaded == 0 && updates == 0;
    }

    Sums plus(Sums other) {
      return new Sums(loaded + other.loaded, updates + other.updates);
    }

    Sums part(double part) {
      return new Sums(loaded * part, updates * part);
    }
  }

  /** A part of the space in which no input begins or ends. */
  private record Segment(long from, long to, Sums sums) {
    double length() {
      return (double) (to - from);
    }
  }

  private static List<Segment> segments(List<SimulatedRange> inputs, Set<Long> moreEnds) {
    TreeSet<Long> ends = new TreeSet<>(moreEnds);
    for (SimulatedRange input : inputs) {
      ends.add(input.from());
      ends.add(input.to());
    }
    List<Long> bounds = List.copyOf(ends);
    double[] loaded = new double[bounds.size()];
    double[] updates = new double[bounds.size()];
    for (SimulatedRange input : inputs) {
      int i = Collections.binarySearch(bounds, input.from());
      for (; bounds.get(i) < input.to(); i++) {
        double part = input.part(bounds.get(i), bounds.get(i + 1));
        loaded[i] += input.loaded() * part;
        updates[i] += input.updates() * part;
      }
    }
    List<Segment> segments = new ArrayList<>();
    for (int i = 0; i + 1 < bounds.size(); i++) {
      segments.add(new Segment(bounds.get(i), bounds.get(i + 1), new Sums(loaded[i], updates[i])));
    }
    return segments;
  }

  private SimulatedRange range(long number, long from, long to, Sums sums) {
    double entries = exactBytes(from, to, sums) / tree.entryBytes();
    RangedComponent stats =
        new RangedComponent(
            number,
            Math.max(1, Math.round(entries + tree.keys().fileEntries())) * tree.entryBytes(),
            Math.round(entries),
            new KeyInterval(key(from), key(to - 1)));
    return new SimulatedRange(stats, from, to, sums.loaded, sums.updates);
  }

  private long bytes(long from, long to, Sums sums) {
    return Math.round(exactBytes(from, to, sums) / tree.entryBytes()) * tree.entryBytes();
  }

  /** What entries take, without what a file costs. */
  private double exactBytes(long from, long to, Sums sums) {
    double part = (double) (to - from) / END;
    KeyModel keys = tree.keys();
    double all = keys.entries(sums.loaded / part, sums.updates / part) - keys.fileEntries();
    return part * all * tree.entryBytes();
  }

  private static long position(Slice key) {
    return Bytes.getLongBigEndian(key.bytes(), key.offset());
  }

  private static Slice key(long position) {
    byte[] key = new byte[Long.BYTES];
    Bytes.putLongBigEndian(key, 0, position);
    return new Slice(key);
  }
}
