package dev.varve.benchmarks.measure;

import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.lang.management.RuntimeMXBean;

/**
 * Where it ran.
 *
 * @param processors how many
 * @param memoryBytes of the machine
 * @param system its operating system
 * @param jvm what ran the parent and the children
 * @param time when it began, UTC
 */
public record Machine(int processors, long memoryBytes, String system, String jvm, String time) {
  /** This machine. */
  public static Machine here(String time) {
    RuntimeMXBean runtime = ManagementFactory.getRuntimeMXBean();
    OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
    return new Machine(
        system.getAvailableProcessors(),
        system instanceof com.sun.management.OperatingSystemMXBean more
            ? more.getTotalMemorySize()
            : 0,
        system.getName() + " " + system.getVersion() + " " + system.getArch(),
        runtime.getVmName() + " " + runtime.getVmVersion(),
        time);
  }
}
