package dev.varve.scheduler.simulator;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.merge.KeyInterval;
import dev.varve.common.merge.RangedComponent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
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
  private final long componentBytes;

  RangeMerger(SimulatedTree tree, long componentBytes) {
    this.tree = tree;
    this.componentBytes = componentBytes;
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

  /** Merges ranges into new ones of the size of a component, and a smaller one in the end. */
  List<SimulatedRange> merge(List<SimulatedRange> inputs, LongSupplier numbers) {
    List<SimulatedRange> outputs = new ArrayList<>();
    Sums open = Sums.NONE;
    long openFrom = -1;
    double openBytes = 0;
    for (Segment segment : segments(inputs)) {
      if (openFrom >= 0 && segment.sums.isNone()) {
        // A gap between inputs: a component does not reach over it.
        outputs.add(range(numbers.getAsLong(), openFrom, segment.from, open));
        openFrom = -1;
      }
      if (segment.sums.isNone()) {
        continue;
      }
      if (openFrom < 0) {
        openFrom = segment.from;
        open = Sums.NONE;
        openBytes = 0;
      }
      double density = exactBytes(segment.from, segment.to, segment.sums) / segment.length();
      long from = segment.from;
      while (openBytes + density * (segment.to - from) >= componentBytes) {
        long cut = from + Math.max(1, Math.round((componentBytes - openBytes) / density));
        if (cut >= segment.to) {
          break;
        }
        open = open.plus(segment.sums.part((double) (cut - from) / segment.length()));
        outputs.add(range(numbers.getAsLong(), openFrom, cut, open));
        from = cut;
        openFrom = cut;
        open = Sums.NONE;
        openBytes = 0;
      }
      open = open.plus(segment.sums.part((double) (segment.to - from) / segment.length()));
      openBytes += density * (segment.to - from);
    }
    if (openFrom >= 0) {
      long end = inputs.stream().mapToLong(SimulatedRange::to).max().orElseThrow();
      outputs.add(range(numbers.getAsLong(), openFrom, end, open));
    }
    return outputs;
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

  private static List<Segment> segments(List<SimulatedRange> inputs) {
    TreeSet<Long> ends = new TreeSet<>();
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
    RangedComponent stats =
        new RangedComponent(
            number,
            Math.max(tree.entryBytes(), bytes(from, to, sums)),
            new KeyInterval(key(from), key(to - 1)));
    return new SimulatedRange(stats, from, to, sums.loaded, sums.updates);
  }

  private long bytes(long from, long to, Sums sums) {
    return Math.round(exactBytes(from, to, sums) / tree.entryBytes()) * tree.entryBytes();
  }

  private double exactBytes(long from, long to, Sums sums) {
    double part = (double) (to - from) / END;
    return part * tree.keys().entries(sums.loaded / part, sums.updates / part) * tree.entryBytes();
  }

  private static Slice key(long position) {
    byte[] key = new byte[Long.BYTES];
    Bytes.putLongBigEndian(key, 0, position);
    return new Slice(key);
  }
}
