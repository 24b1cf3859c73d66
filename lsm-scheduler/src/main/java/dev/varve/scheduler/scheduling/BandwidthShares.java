package dev.varve.scheduler.scheduling;

import dev.varve.common.maintenance.MergeAllocation;
import dev.varve.common.maintenance.MergeAllocation.Share;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongPredicate;

/**
 * Turns the shares of an allocation into an order of batches, so that over time each merge writes
 * its part, whatever the sizes of batches (start-time fair queueing: P. Goyal, H. Vin, H. Cheng,
 * SIGCOMM 1996).
 *
 * <p>Each merge has a pass, which grows by the bytes that it writes, divided by its part of all
 * weights: so passes count what all merges write together, whatever the weights are called, and
 * stay comparable when another scheduler gives other ones. The merge with the lowest pass goes
 * next, and its pass is the time of the whole. A merge that was left out meanwhile goes on at that
 * time: it neither catches up nor has it lost anything. Confined to its owner; it decides by what
 * it is told, and nothing else.
 */
public final class BandwidthShares {
  private final Map<Long, Account> accounts = new HashMap<>();
  private double now;

  /** Nobody has written anything. */
  public BandwidthShares() {}

  /**
   * Which merge writes the next batch.
   *
   * @param allocation the shares from now on
   * @param free whether a merge can go now; one that is in the middle of a batch can't
   */
  public OptionalLong next(MergeAllocation allocation, LongPredicate free) {
    admit(allocation);
    long chosen = 0;
    double lowest = Double.POSITIVE_INFINITY;
    for (Share share : allocation.shares()) {
      Account account = account(share.number());
      if (account.pass < lowest && free.test(share.number())) {
        chosen = share.number();
        lowest = account.pass;
      }
    }
    if (lowest == Double.POSITIVE_INFINITY) {
      return OptionalLong.empty();
    }
    now = Math.max(now, lowest);
    return OptionalLong.of(chosen);
  }

  private void admit(MergeAllocation allocation) {
    accounts.values().forEach(account -> account.named = false);
    double total = allocation.totalWeight();
    for (Share share : allocation.shares()) {
      Account account = account(share.number());
      if (!account.sharing) {
        account.pass = Math.max(account.pass, now);
      }
      account.sharing = true;
      account.named = true;
      account.part = share.weight() / total;
    }
    accounts.values().forEach(account -> account.sharing = account.named);
  }

  private Account account(long number) {
    return accounts.computeIfAbsent(number, unknown -> new Account());
  }

  /** A merge has written a batch. */
  public void written(long number, long bytes) {
    assert bytes >= 0 : bytes;
    Account account = account(number);
    account.pass += bytes / account.part;
  }

  /** A merge has ended. */
  public void ended(long number) {
    Account account = accounts.remove(number);
    if (account != null) {
      // The one that comes in its place begins where it was: it would gain a batch otherwise.
      now = Math.max(now, account.pass);
    }
  }

  /** What a merge has had. */
  private static final class Account {
    private double pass;
    private double part = 1;
    private boolean sharing;
    private boolean named;
  }
}
