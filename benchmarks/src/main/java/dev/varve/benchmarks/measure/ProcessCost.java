package dev.varve.benchmarks.measure;

import dev.varve.benchmarks.measure.Measurement.Cost;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.DiskException;
import dev.varve.report.command.ProcessUsage;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * CPU, memory and disk traffic of this process at one moment.
 *
 * @param usage CPU and memory
 * @param readBytes from the device; 0 where the system does not say, like the others
 * @param writtenBytes to the device, or waiting for that in the page cache
 * @param cancelledBytes of these, what was deleted before it got there
 */
public record ProcessCost(
    ProcessUsage usage, long readBytes, long writtenBytes, long cancelledBytes) {
  private static final Path IO = Path.of("/proc/self/io");

  /** What this process took up to now. */
  public static ProcessCost now(FileSystem files) {
    String io = "";
    byte[] text = new byte[1024];
    try (StorageFile file = files.open(IO, OpenMode.READ_ONLY)) {
      io = new String(text, 0, file.read(0, text, 0, text.length), StandardCharsets.US_ASCII);
    } catch (DiskException notLinux) {
      assert io.isEmpty();
    }
    return new ProcessCost(
        ProcessUsage.now(files),
        figure(io, "read_bytes"),
        figure(io, "write_bytes"),
        figure(io, "cancelled_write_bytes"));
  }

  /** Heap bytes that this thread has allocated so far; 0 where the JVM does not say. */
  public static long allocatedByThisThread() {
    return ManagementFactory.getThreadMXBean() instanceof com.sun.management.ThreadMXBean threads
        ? threads.getCurrentThreadAllocatedBytes()
        : 0;
  }

  /** A figure in the text of /proc/self/io; 0 when it is not there. */
  static long figure(String io, String name) {
    return io.lines()
        .filter(line -> line.startsWith(name + ":"))
        .mapToLong(line -> Long.parseLong(line.substring(name.length() + 1).strip()))
        .findFirst()
        .orElse(0);
  }

  /** What was spent since. */
  public Cost since(ProcessCost before, long allocatedBytes, long diskBytes) {
    return new Cost(
        (usage.cpuNanos() - before.usage.cpuNanos()) / 1e9,
        allocatedBytes,
        writtenBytes - before.writtenBytes,
        cancelledBytes - before.cancelledBytes,
        readBytes - before.readBytes,
        diskBytes,
        usage.peakResidentBytes());
  }
}
