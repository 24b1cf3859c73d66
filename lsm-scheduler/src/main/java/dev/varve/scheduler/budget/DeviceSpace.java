package dev.varve.scheduler.budget;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.varve.common.error.StorageException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The space of one device, which its members reserve for their merges. A member that is lost
 * without having left, with the engine that it belongs to, is forgotten. Thread-safe.
 */
final class DeviceSpace {
  /** A merge of a member. */
  record Claim(DiskSpace member, long merge) {}

  private final ReentrantLock lock = new ReentrantLock();

  /** What each merge of a member that has begun may still write. */
  @GuardedBy("lock")
  private final Map<DiskSpace, Map<Long, Long>> members = new WeakHashMap<>();

  @GuardedBy("lock")
  private long releases;

  void join(DiskSpace member) {
    lock.lock();
    try {
      members.put(member, new HashMap<>());
    } finally {
      lock.unlock();
    }
  }

  /** A member goes; whether it was the last one. */
  boolean leave(DiskSpace member) {
    lock.lock();
    try {
      Map<Long, Long> left = members.remove(member);
      releases += left == null || left.isEmpty() ? 0 : 1;
      return members.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /**
   * The device is asked under the lock: what is written between its answer and the decision is
   * still promised then, so that it counts once at least.
   */
  DiskSpace.Answer reserve(Claim claim, long neededBytes, DiskSpace.FreeSpace free)
      throws StorageException {
    lock.lock();
    try {
      long usable = free.usableBytes();
      long promisedBytes = 0;
      int merges = 0;
      for (Map<Long, Long> promised : members.values()) {
        merges += promised.size();
        promisedBytes += promised.values().stream().mapToLong(Long::longValue).sum();
      }
      DiskSpace.Decision decision =
          new SpaceState(merges, promisedBytes).decide(usable, neededBytes);
      if (decision == DiskSpace.Decision.MADE) {
        promisedTo(claim.member).put(claim.merge, neededBytes);
      }
      return new DiskSpace.Answer(decision, usable);
    } finally {
      lock.unlock();
    }
  }

  void left(Claim claim, long bytes) {
    lock.lock();
    try {
      promisedTo(claim.member).computeIfPresent(claim.merge, (known, before) -> bytes);
    } finally {
      lock.unlock();
    }
  }

  void release(Claim claim) {
    lock.lock();
    try {
      if (promisedTo(claim.member).remove(claim.merge) == null) {
        return;
      }
      releases++;
    } finally {
      lock.unlock();
    }
    tellMembers();
  }

  /** What merges of a member were promised; one that has left has none, and gets none. */
  @GuardedBy("lock")
  private Map<Long, Long> promisedTo(DiskSpace member) {
    return members.getOrDefault(member, new HashMap<>());
  }

  long releases() {
    lock.lock();
    try {
      return releases;
    } finally {
      lock.unlock();
    }
  }

  /** Without the lock: they look for merges that may go on now. */
  void tellMembers() {
    List<DiskSpace> told;
    lock.lock();
    try {
      told = List.copyOf(members.keySet());
    } finally {
      lock.unlock();
    }
    told.forEach(DiskSpace::freed);
  }
}
