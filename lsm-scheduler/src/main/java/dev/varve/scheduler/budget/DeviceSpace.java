package dev.varve.scheduler.budget;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.varve.common.error.StorageException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/** The space of one device, which its members reserve for their merges. Thread-safe. */
final class DeviceSpace {
  /** A merge of a member. */
  record Claim(DiskSpace member, long merge) {}

  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final Set<DiskSpace> members = new HashSet<>();

  /** What each merge that has begun may still write. */
  @GuardedBy("lock")
  private final Map<Claim, Long> promised = new HashMap<>();

  @GuardedBy("lock")
  private long releases;

  void join(DiskSpace member) {
    lock.lock();
    try {
      members.add(member);
    } finally {
      lock.unlock();
    }
  }

  /** A member goes; whether it was the last one. */
  boolean leave(DiskSpace member) {
    lock.lock();
    try {
      members.remove(member);
      releases += promised.keySet().removeIf(claim -> claim.member.equals(member)) ? 1 : 0;
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
      long promisedBytes = promised.values().stream().mapToLong(Long::longValue).sum();
      DiskSpace.Decision decision =
          new SpaceState(promised.size(), promisedBytes).decide(usable, neededBytes);
      if (decision == DiskSpace.Decision.MADE) {
        promised.put(claim, neededBytes);
      }
      return new DiskSpace.Answer(decision, usable);
    } finally {
      lock.unlock();
    }
  }

  void left(Claim claim, long bytes) {
    lock.lock();
    try {
      promised.computeIfPresent(claim, (known, before) -> bytes);
    } finally {
      lock.unlock();
    }
  }

  void release(Claim claim) {
    lock.lock();
    try {
      if (promised.remove(claim) == null) {
        return;
      }
      releases++;
    } finally {
      lock.unlock();
    }
    tellMembers();
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
      told = List.copyOf(members);
    } finally {
      lock.unlock();
    }
    told.forEach(DiskSpace::freed);
  }
}
