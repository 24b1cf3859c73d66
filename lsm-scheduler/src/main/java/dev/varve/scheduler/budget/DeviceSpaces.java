package dev.varve.scheduler.budget;

import com.google.errorprone.annotations.MustBeClosed;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.varve.common.env.Device;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** The devices that somebody merges on, each with one account of its space. Thread-safe. */
public final class DeviceSpaces {
  private static final DeviceSpaces PROCESS = new DeviceSpaces();

  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final Map<Device, DeviceSpace> devices = new HashMap<>();

  /** The devices of this process: who merges on one of them knows of the others, whoever it is. */
  public static DeviceSpaces ofProcess() {
    return PROCESS;
  }

  /**
   * Joins those who merge on a device.
   *
   * @param free asks how much is left there
   */
  @MustBeClosed
  public DiskSpace join(Device device, DiskSpace.FreeSpace free) {
    lock.lock();
    try {
      DeviceSpace shared = devices.computeIfAbsent(device, unknown -> new DeviceSpace());
      DiskSpace member = new DiskSpace(shared, free, leaving -> leave(device, shared, leaving));
      shared.join(member);
      return member;
    } finally {
      lock.unlock();
    }
  }

  private void leave(Device device, DeviceSpace shared, DiskSpace member) {
    lock.lock();
    try {
      if (shared.leave(member)) {
        devices.remove(device);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Whether somebody has joined those of a device and not left. */
  public boolean knows(Device device) {
    lock.lock();
    try {
      return devices.containsKey(device);
    } finally {
      lock.unlock();
    }
  }
}
