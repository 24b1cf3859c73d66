package dev.varve.dataset;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What happened to one key, seen from outside, and whether one register could have done it: whether
 * each operation can be given a moment between its call and its return so that, in the order of the
 * moments, each saw what the one before left (linearizability; the search of Wing and Gong, with
 * Lowe's memory of states that led nowhere).
 */
final class RegisterHistory {
  /** What an operation learnt of the state before it. */
  enum Saw {
    NOTHING,
    ABSENT,
    PRESENT,
    VALUE
  }

  /**
   * One operation that returned.
   *
   * @param called before this moment nothing of it had happened
   * @param returned after this moment all of it had happened
   * @param saw what it learnt
   * @param seen the value, if it learnt that; null for absence
   * @param writes whether it left another value than it met
   * @param value what it left, if it writes; null for absence
   */
  record Operation(
      long called,
      long returned,
      Saw saw,
      @Nullable String seen,
      boolean writes,
      @Nullable String value) {
    /** An operation that either reads or writes a value. */
    Operation(long called, long returned, Saw saw, boolean writes, @Nullable String value) {
      this(called, returned, saw, value, writes, value);
    }

    /** The same, with another end. */
    Operation returnedAt(long moment) {
      return new Operation(called, moment, saw, seen, writes, value);
    }

    private boolean fits(@Nullable String state) {
      return switch (saw) {
        case NOTHING -> true;
        case ABSENT -> state == null;
        case PRESENT -> state != null;
        case VALUE -> Objects.equals(state, seen);
      };
    }

    private @Nullable String after(@Nullable String state) {
      return writes ? value : state;
    }
  }

  private record Visited(BitSet done, @Nullable String state) {}

  /** A choice that was made, to be taken back. */
  private record Choice(int operation, @Nullable String stateBefore) {}

  private final List<Operation> operations = new ArrayList<>();

  void add(Operation operation) {
    operations.add(operation);
  }

  int size() {
    return operations.size();
  }

  /** Null, or the operation beyond which no order of the operations explains what was seen. */
  @Nullable Operation unexplained() {
    operations.sort(Comparator.comparingLong(Operation::called));
    BitSet done = new BitSet();
    String state = null;
    Set<Visited> visited = new HashSet<>();
    List<Choice> choices = new ArrayList<>();
    int from = 0;
    int furthest = 0;
    while (choices.size() < operations.size()) {
      int next = candidate(done, state, from);
      if (next >= 0) {
        String after = operations.get(next).after(state);
        done.set(next);
        if (visited.add(new Visited((BitSet) done.clone(), after))) {
          choices.add(new Choice(next, state));
          state = after;
          from = done.nextClearBit(0);
          furthest = Math.max(furthest, from);
        } else {
          done.clear(next);
          from = next + 1;
        }
        continue;
      }
      if (choices.isEmpty()) {
        return operations.get(furthest);
      }
      Choice last = choices.remove(choices.size() - 1);
      done.clear(last.operation());
      state = last.stateBefore();
      from = last.operation() + 1;
    }
    return null;
  }

  /** The first operation from a place on that may come next; -1 for none. */
  private int candidate(BitSet done, @Nullable String state, int from) {
    long firstReturn = Long.MAX_VALUE;
    for (int i = done.nextClearBit(0); i < operations.size(); i = done.nextClearBit(i + 1)) {
      Operation operation = operations.get(i);
      if (operation.called() > firstReturn) {
        return -1;
      }
      if (i >= from && operation.fits(state) && precedesAllReturns(operation, done)) {
        return i;
      }
      firstReturn = Math.min(firstReturn, operation.returned());
    }
    return -1;
  }

  /** Whether no other operation that is left had returned when this one was called. */
  private boolean precedesAllReturns(Operation operation, BitSet done) {
    for (int i = done.nextClearBit(0); i < operations.size(); i = done.nextClearBit(i + 1)) {
      if (operations.get(i).called() > operation.called()) {
        return true;
      }
      if (operations.get(i).returned() < operation.called()) {
        return false;
      }
    }
    return true;
  }
}
