package dev.varve.common.component;

/**
 * Which flushes a disk component holds: a range of flush sequence numbers of its index, counted
 * from 1. A flush makes {@code [n, n]}; a merge of adjacent components makes the range over all of
 * them, so that the components of an index always tile {@code [1, newest]} without a gap.
 */
public record ComponentId(long first, long last) implements Comparable<ComponentId> {
  /** Checks the range. */
  public ComponentId {
    if (first < 1 || last < first) {
      throw new IllegalArgumentException("component id [" + first + ", " + last + "]");
    }
  }

  /** Whether this component was made from the other one, among others. */
  public boolean covers(ComponentId other) {
    return first <= other.first && other.last <= last;
  }

  /** Older components first. */
  @Override
  public int compareTo(ComponentId other) {
    return Long.compare(first, other.first);
  }

  @Override
  public String toString() {
    return first + "-" + last;
  }
}
