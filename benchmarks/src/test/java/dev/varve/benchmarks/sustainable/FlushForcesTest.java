package dev.varve.benchmarks.sustainable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.varve.common.env.FileSystem;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.ForwardingFile;
import dev.varve.common.env.ForwardingFileSystem;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.DiskException;
import dev.varve.common.testkit.ManualClock;
import dev.varve.common.testkit.MemoryFileSystem;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * Goal: what flushes force is noted, files and directories, and nothing else is. Method: forces
 * that take their time on a clock by hand, in threads of either name.
 */
final class FlushForcesTest {
  private final ManualClock clock = new ManualClock();
  private final FlushForces forces =
      new FlushForces(new SlowForces(new MemoryFileSystem(), clock), clock);

  @Test
  void theForcesOfFlushesAreNoted() throws Exception {
    long begin = clock.nanoTime();
    runAs("varve-flush");
    assertEquals(List.of(new Spans.Span(begin, begin + 12)), forces.spans().all());
  }

  @Test
  void theForcesOfOthersAreNot() throws Exception {
    runAs("varve-merge");
    assertEquals(List.of(), forces.spans().all());
  }

  private void runAs(String name) throws InterruptedException {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread thread = new Thread(this::flush, name);
    thread.setUncaughtExceptionHandler((of, thrown) -> failure.set(thrown));
    thread.start();
    thread.join();
    assertNull(failure.get());
  }

  private void flush() {
    try (StorageFile file = forces.open(Path.of("/f"), OpenMode.CREATE_NEW)) {
      file.write(0, new byte[8], 0, 8);
      file.force();
      forces.forceDirectory(Path.of("/"));
    } catch (DiskException e) {
      throw new AssertionError(e);
    }
  }

  private record SlowForces(FileSystem files, ManualClock clock) implements ForwardingFileSystem {
    @Override
    public StorageFile opened(StorageFile file) {
      return new SlowFile(file, clock);
    }

    @Override
    public void forceDirectory(Path directory) throws DiskException {
      clock.advanceNanos(7);
      files.forceDirectory(directory);
    }
  }

  private record SlowFile(StorageFile file, ManualClock clock) implements ForwardingFile {
    @Override
    public void force() throws DiskException {
      clock.advanceNanos(5);
      file.force();
    }
  }
}
