package dev.varve.scheduler.budget;

import com.google.errorprone.annotations.MustBeClosed;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.varve.common.env.Device;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The devices that somebody writes to under a budget, each with one budget for all who do.
 * Thread-safe.
 */
public final class DeviceBudgets {
  private static final DeviceBudgets PROCESS = new DeviceBudgets();

  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final Map<Device, DeviceBudget> devices = new HashMap<>();

  /** The devices of this process: what writes to one of them shares it, whoever opened it. */
  public static DeviceBudgets ofProcess() {
    return PROCESS;
  }

  /**
   * Joins those who write to a device.
   *
   * @param bytesPerSecond what flushes and merges may write there, at least 1; as long as there are
   *     several members, the lowest rate holds for all of them together
   */
  @MustBeClosed
  public IoBudget join(Device device, long bytesPerSecond) {
    IoBudget.checkRate(bytesPerSecond);
    lock.lock();
    try {
      DeviceBudget shared = devices.computeIfAbsent(device, unknown -> new DeviceBudget());
      IoBudget member = new IoBudget(shared, leaving -> leave(device, shared, leaving));
      shared.join(member, bytesPerSecond);
      return member;
    } finally {
      lock.unlock();
    }
  }

  private void leave(Device device, DeviceBudget shared, IoBudget member) {
    lock.lock();
    try {
      if (shared.leave(member)) {
        devices.remove(device);
      }
    } finally {
      lock.unlock();
    }
  }

  /** How many devices have members. */
  int size() {
    lock.lock();
    try {
      return devices.size();
    } finally {
      lock.unlock();
    }
  }
}
