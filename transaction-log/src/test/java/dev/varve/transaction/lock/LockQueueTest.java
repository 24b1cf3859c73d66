package dev.varve.transaction.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.testkit.ManualClock;
import dev.varve.common.testkit.SteppedExecutor;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Goal: the order in which a queue serves. Method: the queue alone, nobody really waits. */
final class LockQueueTest {
  private final LockTable table = new LockTable(new SteppedExecutor(new ManualClock(), 1));
  private final LockOwner a = table.newOwner();
  private final LockOwner b = table.newOwner();
  private final LockOwner c = table.newOwner();
  private final LockOwner d = table.newOwner();

  private static LockRequest enqueue(LockQueue queue, LockOwner owner, LockMode mode) {
    LockRequest request = new LockRequest(owner, 1, mode);
    queue.enqueue(request);
    return request;
  }

  private static List<LockOwner> blockers(LockQueue queue, LockRequest request) {
    List<LockOwner> blockers = new ArrayList<>();
    queue.addBlockers(request, blockers);
    return blockers;
  }

  @Test
  void firstComeFirstServed() {
    LockQueue queue = new LockQueue(a.hold(LockMode.EXCLUSIVE));
    LockRequest second = enqueue(queue, b, LockMode.EXCLUSIVE);
    LockRequest third = enqueue(queue, c, LockMode.EXCLUSIVE);
    assertTrue(queue.release(a));
    assertTrue(second.granted);
    assertFalse(third.granted);
    assertEquals(b, queue.exclusiveHolder());
    assertTrue(queue.release(b));
    assertTrue(third.granted);
    assertFalse(queue.release(b));
  }

  @Test
  void sharedRequestsInARowAreServedTogether() {
    LockQueue queue = new LockQueue(a.hold(LockMode.EXCLUSIVE));
    LockRequest second = enqueue(queue, b, LockMode.SHARED);
    LockRequest third = enqueue(queue, c, LockMode.SHARED);
    LockRequest fourth = enqueue(queue, d, LockMode.EXCLUSIVE);
    queue.release(a);
    assertTrue(second.granted);
    assertTrue(third.granted);
    assertFalse(fourth.granted);
    assertNull(queue.exclusiveHolder());
  }

  @Test
  void aNewcomerDoesNotOvertakeAWaitingWriter() {
    LockQueue queue = new LockQueue(a.hold(LockMode.SHARED));
    enqueue(queue, b, LockMode.EXCLUSIVE);
    assertNull(queue.tryGrant(c, LockMode.SHARED));
    assertEquals(LockGrant.HELD, queue.tryGrant(a, LockMode.SHARED));
    assertEquals(LockGrant.UPGRADED, queue.tryGrant(a, LockMode.EXCLUSIVE));
  }

  @Test
  void whoGivesUpHoldsUpNobody() {
    LockQueue queue = new LockQueue(a.hold(LockMode.SHARED));
    LockRequest writer = enqueue(queue, b, LockMode.EXCLUSIVE);
    LockRequest reader = enqueue(queue, c, LockMode.SHARED);
    assertFalse(reader.granted);
    queue.withdraw(writer);
    assertTrue(reader.granted);
    assertNull(queue.onlyHolder(), "two share it now");
  }

  @Test
  void anUpgradeIsServedBeforeEarlierRequests() {
    LockQueue queue = new LockQueue(a.hold(LockMode.SHARED));
    assertEquals(LockGrant.ACQUIRED, queue.tryGrant(b, LockMode.SHARED));
    LockRequest writer = enqueue(queue, c, LockMode.EXCLUSIVE);
    LockRequest upgrade = enqueue(queue, b, LockMode.EXCLUSIVE);
    queue.release(a);
    assertTrue(upgrade.granted);
    assertFalse(writer.granted);
    assertEquals(b, queue.exclusiveHolder());
  }

  @Test
  void oneWaitsForIncompatibleHoldersAndForWhoIsBefore() {
    LockQueue queue = new LockQueue(a.hold(LockMode.SHARED));
    LockRequest writer = enqueue(queue, b, LockMode.EXCLUSIVE);
    LockRequest reader = enqueue(queue, c, LockMode.SHARED);
    assertEquals(List.of(a), blockers(queue, writer));
    // Not for a, with whom it could share: a circle through the queue is found all the same.
    assertEquals(List.of(b), blockers(queue, reader));
    queue.release(a);
    assertEquals(List.of(), blockers(queue, writer));
  }
}
