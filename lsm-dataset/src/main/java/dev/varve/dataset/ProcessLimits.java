package dev.varve.dataset;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.UnixOperatingSystemMXBean;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.LocalFileSystem;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.StorageException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the process of an engine has for it. The engines that are opened under the same limits, or
 * parts of them, share the heap. Tests pass other numbers than the real ones. Thread-safe.
 */
public final class ProcessLimits {
  /** So much that nothing is ever above it. */
  public static final ProcessLimits NONE = new ProcessLimits(Long.MAX_VALUE, Long.MAX_VALUE);

  private static final ProcessHeap HEAP = new ProcessHeap();

  /** The part of the memory that can be had, as a divisor, that is left to others. */
  private static final int FREE_PART = 4;

  private static final Path MEMORY = Path.of("/proc/meminfo");
  private static final int MEMORY_TEXT_BYTES = 4096;
  private static final Pattern AVAILABLE = Pattern.compile("MemAvailable: +([0-9]{1,15}) kB");

  private final long wholeHeapBytes;
  private final long heapBytes;
  private final long files;
  private final ProcessHeap heap;
  private final LongSupplier freeMemory;

  private ProcessLimits(
      long wholeHeapBytes, long heapBytes, long files, ProcessHeap heap, LongSupplier freeMemory) {
    this.wholeHeapBytes = wholeHeapBytes;
    this.heapBytes = heapBytes;
    this.files = files;
    this.heap = heap;
    this.freeMemory = freeMemory;
  }

  /**
   * Those of a process without other engines.
   *
   * @param heapBytes the largest heap
   * @param files how many files it may open, those that are open now taken off
   */
  ProcessLimits(long heapBytes, long files) {
    this(heapBytes, heapBytes, files, new ProcessHeap(), () -> 0);
  }

  /** Those of this process, now. */
  public static ProcessLimits ofProcess() {
    long files =
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
            ? unix.getMaxFileDescriptorCount() - unix.getOpenFileDescriptorCount()
            : Long.MAX_VALUE;
    long heap = Runtime.getRuntime().maxMemory();
    return new ProcessLimits(heap, heap, files, HEAP, ProcessLimits::freeMemoryOfProcess);
  }

  private static long freeMemoryOfProcess() {
    Runtime runtime = Runtime.getRuntime();
    long heapToCome = runtime.maxMemory() - runtime.totalMemory();
    if (!(ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system)) {
      return 0;
    }
    // A container's limit is in the total, and what its process has is not in Linux' answer.
    long ofContainer = system.getTotalMemorySize() - runtime.totalMemory();
    long available = Math.min(availableBytes(new LocalFileSystem()), ofContainer);
    return Math.max(0, Math.max(system.getFreeMemorySize(), available) - heapToCome);
  }

  /** What Linux has for whoever asks, with files that nobody has changed; 0 if it does not say. */
  static long availableBytes(FileSystem files) {
    byte[] text = new byte[MEMORY_TEXT_BYTES];
    try (StorageFile file = files.open(MEMORY, OpenMode.READ_ONLY)) {
      int length = file.read(0, text, 0, text.length);
      Matcher available = AVAILABLE.matcher(new String(text, 0, length, StandardCharsets.US_ASCII));
      return available.find() ? Long.parseLong(available.group(1)) << 10 : 0;
    } catch (StorageException absent) {
      return 0;
    }
  }

  /** The same with so much memory that nobody uses. */
  ProcessLimits withFreeMemory(long bytes) {
    return new ProcessLimits(wholeHeapBytes, heapBytes, files, heap, () -> bytes);
  }

  /** For each of so many engines, from 1, that are opened together: an equal part. */
  public ProcessLimits dividedBy(int engines) {
    return new ProcessLimits(
        wholeHeapBytes,
        heapBytes / engines,
        files / engines,
        heap,
        () -> freeMemory.getAsLong() / engines);
  }

  /** The heap that an engine may take when others have taken so much. */
  long heapBytes(long taken) {
    return Math.min(heapBytes, Math.max(0, wholeHeapBytes - taken));
  }

  /** How many files the engine may open. */
  long files() {
    return files;
  }

  /** How many processors it has now. */
  int processors() {
    return Runtime.getRuntime().availableProcessors();
  }

  /**
   * Memory of the machine, in bytes that nobody uses now but for files that are on disk, too, and
   * that the process' heap will not take; no more than the process' container has. 0 where nobody
   * knows.
   */
  long freeMemoryBytes() {
    return freeMemory.getAsLong();
  }

  /** What of {@link #freeMemoryBytes} the files of the engine may have. */
  long spareMemoryBytes() {
    return freeMemoryBytes() / FREE_PART * (FREE_PART - 1);
  }

  /** Where the engine takes its share of the heap. */
  ProcessHeap heap() {
    return heap;
  }
}
