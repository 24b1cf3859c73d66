package dev.varve.dataset;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * What the process of an engine has for it. The engines that are opened under the same limits, or
 * parts of them, share the heap. Tests pass other numbers than the real ones. Thread-safe.
 */
public final class ProcessLimits {
  /** So much that nothing is ever above it. */
  public static final ProcessLimits NONE = new ProcessLimits(Long.MAX_VALUE, Long.MAX_VALUE);

  private static final ProcessHeap HEAP = new ProcessHeap();

  private final long wholeHeapBytes;
  private final long heapBytes;
  private final long files;
  private final ProcessHeap heap;

  private ProcessLimits(long wholeHeapBytes, long heapBytes, long files, ProcessHeap heap) {
    this.wholeHeapBytes = wholeHeapBytes;
    this.heapBytes = heapBytes;
    this.files = files;
    this.heap = heap;
  }

  /**
   * Those of a process without other engines.
   *
   * @param heapBytes the largest heap
   * @param files how many files it may open, those that are open now taken off
   */
  ProcessLimits(long heapBytes, long files) {
    this(heapBytes, heapBytes, files, new ProcessHeap());
  }

  /** Those of this process, now. */
  public static ProcessLimits ofProcess() {
    long files =
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
            ? unix.getMaxFileDescriptorCount() - unix.getOpenFileDescriptorCount()
            : Long.MAX_VALUE;
    long heap = Runtime.getRuntime().maxMemory();
    return new ProcessLimits(heap, heap, files, HEAP);
  }

  /** For each of so many engines, from 1, that are opened together: an equal part. */
  public ProcessLimits dividedBy(int engines) {
    return new ProcessLimits(wholeHeapBytes, heapBytes / engines, files / engines, heap);
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

  /** Where the engine takes its share of the heap. */
  ProcessHeap heap() {
    return heap;
  }
}
