package dev.varve.report.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.env.LocalFileSystem;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Goal: figures of the process are read, and a signal calls its action once. */
final class ProcessTest {
  @Test
  void peakOfTheResidentSetIsRead() {
    String status = "Name:\tjava\nVmPeak:\t  999 kB\nVmHWM:\t  123456 kB\nThreads:\t12\n";
    assertEquals(123_456L * 1024, ProcessUsage.peakResidentBytes(status));
    assertEquals(-1, ProcessUsage.peakResidentBytes("Name:\tjava\n"));
  }

  @Test
  void usageGrows() {
    ProcessUsage before = ProcessUsage.now(new LocalFileSystem());
    ProcessUsage after = ProcessUsage.now(new LocalFileSystem());
    assertTrue(after.cpuNanos() >= before.cpuNanos());
    assertTrue(after.heapUsedBytes() > 0 && after.heapUsedBytes() <= after.heapMaxBytes());
  }

  @Test
  void firstSignalCallsTheAction() {
    AtomicInteger calls = new AtomicInteger();
    try (StopSignal signal = StopSignal.listen(calls::incrementAndGet)) {
      assertEquals(0, signal.exitCode());
      signal.raised(130);
      assertEquals(130, signal.exitCode());
      assertEquals(1, calls.get());
    }
  }
}
