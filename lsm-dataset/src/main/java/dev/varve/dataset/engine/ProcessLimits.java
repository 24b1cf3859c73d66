package dev.varve.dataset.engine;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * What the process of an engine has for it. Tests pass other numbers than the real ones.
 *
 * @param heapBytes the largest heap
 * @param files how many files the process may open, those that are open now taken off
 */
public record ProcessLimits(long heapBytes, long files) {
  /** So much that nothing is ever above it. */
  public static final ProcessLimits NONE = new ProcessLimits(Long.MAX_VALUE, Long.MAX_VALUE);

  /** Those of this process, now. */
  public static ProcessLimits ofProcess() {
    long files =
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
            ? unix.getMaxFileDescriptorCount() - unix.getOpenFileDescriptorCount()
            : Long.MAX_VALUE;
    return new ProcessLimits(Runtime.getRuntime().maxMemory(), files);
  }
}
