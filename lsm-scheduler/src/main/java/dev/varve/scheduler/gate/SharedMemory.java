package dev.varve.scheduler.gate;

import dev.varve.scheduler.gate.DatasetMemory.Decision;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;

/**
 * One pool of memory for all datasets of a node, and which of them is flushed when it gets short. A
 * dataset may take as much of it as is free. From nine tenths of the pool on, the dataset that has
 * written the most since its last seal is flushed, of equal ones that whose oldest operation is the
 * oldest in the log, and then the next, until what will be left after these flushes is below that
 * again. So many small datasets, none of which would ever fill a memory of its own, cannot keep the
 * pool for themselves. Pure.
 *
 * @param poolBytes all of the pool
 * @param members what each dataset has of it
 */
public record SharedMemory(long poolBytes, List<Member> members) {
  /** The part of the pool from which on datasets are flushed. */
  private static final double FLUSHED_FROM = 0.9;

  private static final int NONE = -1;

  /**
   * What a dataset has of the pool.
   *
   * @param writableBytes what is written since its last seal
   * @param sealedBytes what is sealed and not yet freed by a flush
   * @param flushPending whether something is sealed, so that it cannot be sealed again
   * @param heldUp whether the flush waits for a transaction, or has failed, and so frees nothing
   *     now
   * @param oldestLsn where in the log its oldest operation is that is not on disk
   */
  public record Member(
      long writableBytes, long sealedBytes, boolean flushPending, boolean heldUp, long oldestLsn) {
    /** Bytes that it holds. */
    public long bytes() {
      return writableBytes + sealedBytes;
    }

    private boolean mayBeSealed() {
      return !flushPending && writableBytes > 0;
    }

    private boolean goesBefore(Member other) {
      return writableBytes > other.writableBytes
          || (writableBytes == other.writableBytes && oldestLsn < other.oldestLsn);
    }
  }

  /** Copies the list. */
  public SharedMemory {
    members = List.copyOf(members);
  }

  /** From how many bytes on something is flushed. */
  public static long flushedFrom(long poolBytes) {
    return (long) (poolBytes * FLUSHED_FROM);
  }

  /** Bytes that are taken. */
  public long bytes() {
    return members.stream().mapToLong(Member::bytes).sum();
  }

  /**
   * Which dataset is to be sealed next, so that it is flushed. One that is at its component limit
   * is passed over, unless the pool is full, no other is left and no flush is on its way: then
   * reads of that one cost a little more, and nobody waits for its merges who does not write to it.
   *
   * @param atComponentLimit whether a member has an index with as many disk components as it may
   *     have
   * @return its place in the list; empty when nothing has to be sealed, or can be
   */
  public OptionalInt next(IntPredicate atComponentLimit) {
    long leftThen = 0;
    boolean flushComes = false;
    for (Member member : members) {
      leftThen += member.bytes() - (member.heldUp() ? 0 : member.sealedBytes());
      flushComes |= member.flushPending() && !member.heldUp();
    }
    if (leftThen < flushedFrom(poolBytes)) {
      return OptionalInt.empty();
    }
    int first = first(NONE);
    int candidate = first;
    while (candidate != NONE && atComponentLimit.test(candidate)) {
      candidate = first(candidate);
    }
    if (candidate == NONE && bytes() >= poolBytes && !flushComes) {
      candidate = first;
    }
    return candidate == NONE ? OptionalInt.empty() : OptionalInt.of(candidate);
  }

  /** The first of those that may be sealed, or of those that come after one of them. */
  private int first(int after) {
    int first = NONE;
    for (int i = 0; i < members.size(); i++) {
      if (members.get(i).mayBeSealed()
          && (after == NONE || comesAfter(i, after))
          && (first == NONE || comesAfter(first, i))) {
        first = i;
      }
    }
    return first;
  }

  /** Equal ones are taken in the order of the list. */
  private boolean comesAfter(int place, int other) {
    Member one = members.get(place);
    Member before = members.get(other);
    return before.goesBefore(one) || (!one.goesBefore(before) && place > other);
  }

  /**
   * What follows for somebody who wants to write to a dataset: as {@link DatasetMemory#decide} says
   * it, with {@code SEAL} for whichever dataset is next. From where the pool gets short on, nobody
   * writes to a dataset that could not be flushed for its component limit.
   *
   * @param place the dataset's
   */
  public Decision decide(int place, IntPredicate atComponentLimit) {
    Totals totals = Totals.NONE;
    for (Member member : members) {
      totals = totals.with(member);
    }
    return totals.decide(
        poolBytes,
        members.get(place),
        () -> next(atComponentLimit).isPresent(),
        () -> atComponentLimit.test(place));
  }

  /**
   * All members together, for who keeps count of them.
   *
   * @param bytes that are taken
   * @param comingBytes what flushes that nobody holds up will free of them
   * @param pending how many members have something sealed
   */
  public record Totals(long bytes, long comingBytes, int pending) {
    /** Of no members. */
    public static final Totals NONE = new Totals(0, 0, 0);

    /** With one more. */
    public Totals with(Member member) {
      return new Totals(
          bytes + member.bytes(),
          comingBytes + comingBytes(member),
          pending + (member.flushPending() ? 1 : 0));
    }

    /** With one less. */
    public Totals without(Member member) {
      return new Totals(
          bytes - member.bytes(),
          comingBytes - comingBytes(member),
          pending - (member.flushPending() ? 1 : 0));
    }

    private static long comingBytes(Member member) {
      return member.heldUp() ? 0 : member.sealedBytes();
    }

    /** Whether so little is left that something is flushed, unless enough is on its way. */
    public boolean wantFlush(long poolBytes) {
      return bytes - comingBytes >= flushedFrom(poolBytes);
    }

    /**
     * See {@link SharedMemory#decide}.
     *
     * @param own the dataset that is to be written
     * @param someIsNext whether {@link #next} finds one; asked only when that may be
     * @param atComponentLimit whether this dataset is; asked only when it counts
     */
    public Decision decide(
        long poolBytes, Member own, BooleanSupplier someIsNext, BooleanSupplier atComponentLimit) {
      if (bytes < flushedFrom(poolBytes)) {
        return Decision.ROOM;
      }
      if (wantFlush(poolBytes) && someIsNext.getAsBoolean()) {
        return Decision.SEAL;
      }
      if (!own.flushPending() && atComponentLimit.getAsBoolean()) {
        return Decision.WAIT_FOR_MERGES;
      }
      return bytes >= poolBytes && pending > 0 ? Decision.WAIT_FOR_FLUSH : Decision.ROOM;
    }
  }
}
