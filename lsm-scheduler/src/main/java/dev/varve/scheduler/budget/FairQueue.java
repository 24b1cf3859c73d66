package dev.varve.scheduler.budget;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Whose batch is next among those that share a device, for one purpose: start-time fair queueing
 * over bytes, so that each gets the same part for as long as it has something to write. A member
 * that has waited until its due time goes first; a member that arrives, or comes back after a
 * pause, starts where the others are, and neither catches up nor loses. Time is passed in. Confined
 * to its owner.
 */
final class FairQueue {
  /** How late one may be to the moment that it was told before others stop waiting for it. */
  static final long PATIENCE_NANOS = 1_000_000;

  /** Where a member is. */
  private static final class Member {
    private double pass;
    private boolean waits;
    private long dueNanos;
  }

  private final Map<IoBudget, Member> members = new LinkedHashMap<>();
  private double pass;
  private int inFlight;

  /** Batches that have begun and have not ended. */
  int inFlight() {
    return inFlight;
  }

  /** Notes that a member wants to write and was told to wait. */
  void waits(IoBudget member, long dueNanos) {
    Member place = arrive(member);
    place.dueNanos = dueNanos;
  }

  /** How long a member that wants to write lets others go first; 0 when it is its turn. */
  long yieldNanos(IoBudget member, long nowNanos) {
    Member mine = arrive(member);
    long yield = 0;
    for (Member other : members.values()) {
      boolean expected =
          other.waits && other.dueNanos <= nowNanos && nowNanos < other.dueNanos + PATIENCE_NANOS;
      if (expected && other.pass < mine.pass) {
        yield = Math.max(yield, other.dueNanos + PATIENCE_NANOS - nowNanos);
      }
    }
    return yield;
  }

  /** How long it takes until all who wait have had the moment that they were told. */
  long awaitedNanos(long nowNanos) {
    long awaited = 0;
    for (Member member : members.values()) {
      if (member.waits) {
        awaited = Math.max(awaited, member.dueNanos + PATIENCE_NANOS - nowNanos);
      }
    }
    return awaited;
  }

  /** A member's batch begins. */
  void begin(IoBudget member) {
    Member mine = arrive(member);
    mine.waits = false;
    pass = Math.max(pass, mine.pass);
    inFlight++;
  }

  /** A member's batch has ended. */
  void end(IoBudget member, long bytes) {
    assert inFlight > 0;
    inFlight--;
    memberOf(member).pass += bytes;
  }

  /** A member goes. */
  void leave(IoBudget member) {
    members.remove(member);
  }

  private Member arrive(IoBudget member) {
    Member mine = memberOf(member);
    if (!mine.waits) {
      mine.waits = true;
      mine.pass = Math.max(mine.pass, pass);
    }
    return mine;
  }

  private Member memberOf(IoBudget member) {
    return members.computeIfAbsent(member, unknown -> new Member());
  }
}
