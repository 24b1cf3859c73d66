package dev.varve.report.command;

import dev.varve.common.env.FileSystem;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.DiskException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * CPU and memory of this process at one moment.
 *
 * @param cpuNanos CPU time of all threads since the process began; -1 where the JVM cannot tell
 * @param heapUsedBytes bytes of the heap in use, garbage included
 * @param heapMaxBytes size that the heap may grow to
 * @param gcMillis time spent in garbage collections since the process began
 * @param peakResidentBytes largest resident set so far (VmHWM of Linux); -1 where it is unknown
 */
public record ProcessUsage(
    long cpuNanos, long heapUsedBytes, long heapMaxBytes, long gcMillis, long peakResidentBytes) {
  private static final Path STATUS = Path.of("/proc/self/status");

  /** Takes the figures now. */
  public static ProcessUsage now(FileSystem files) {
    long cpu = -1;
    if (ManagementFactory.getOperatingSystemMXBean()
        instanceof com.sun.management.OperatingSystemMXBean system) {
      cpu = system.getProcessCpuTime();
    }
    long collecting = 0;
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      collecting += Math.max(0, collector.getCollectionTime());
    }
    Runtime runtime = Runtime.getRuntime();
    return new ProcessUsage(
        cpu,
        runtime.totalMemory() - runtime.freeMemory(),
        runtime.maxMemory(),
        collecting,
        peakResidentBytes(files));
  }

  private static long peakResidentBytes(FileSystem files) {
    byte[] text = new byte[8192];
    try (StorageFile status = files.open(STATUS, OpenMode.READ_ONLY)) {
      int length = status.read(0, text, 0, text.length);
      return peakResidentBytes(new String(text, 0, length, StandardCharsets.US_ASCII));
    } catch (DiskException notLinux) {
      return -1;
    }
  }

  /** The figure in the text of /proc/self/status; -1 when it is not there. */
  static long peakResidentBytes(String status) {
    for (String line : status.split("\n")) {
      if (line.startsWith("VmHWM:")) {
        String kibibytes = line.substring("VmHWM:".length()).replace("kB", "").strip();
        return Long.parseLong(kibibytes) * 1024;
      }
    }
    return -1;
  }
}
