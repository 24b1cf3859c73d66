package dev.varve.btree.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A number that every put changes, alone in its cache lines: beside a field that every find reads,
 * each put would take that field from the caches of all other processors. Thread-safe.
 */
final class PaddedCounter {
  private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(long[].class);

  /** Longs on each side, enough for a line and the one that processors fetch with it. */
  private static final int PADDING = 16;

  private final long[] cells = new long[2 * PADDING + 1];

  long get() {
    return (long) ELEMENT.getVolatile(cells, PADDING);
  }

  void set(long value) {
    ELEMENT.setVolatile(cells, PADDING, value);
  }

  /** Adds and returns the number as it was. */
  long getAndAdd(long delta) {
    return (long) ELEMENT.getAndAdd(cells, PADDING, delta);
  }
}
