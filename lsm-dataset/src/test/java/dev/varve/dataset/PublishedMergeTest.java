package dev.varve.dataset;

import static dev.varve.dataset.TestStore.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.ForwardingFileSystem;
import dev.varve.common.env.Signal;
import dev.varve.common.env.StorageFile;
import dev.varve.common.env.SystemClock;
import dev.varve.common.env.TaskExecutor;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.common.env.Worker;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.dataset.options.MergePolicyOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/**
 * Goal: writers wait for what a merge publishes, and not for what it does after that, which takes
 * the system a tenth of a second for large files. Method: a merge goes on only when a writer waits
 * for it, and deletes its inputs only when the writer has gone on; nobody looks again unless told.
 */
class PublishedMergeTest {
  private static final long PATIENCE_NANOS = 30_000_000_000L;

  private final AtomicInteger puts = new AtomicInteger();
  private final AtomicReference<StorageEngine> opened = new AtomicReference<>();

  /** What was so when the first inputs were deleted. */
  private final AtomicReference<Boolean> wentOn = new AtomicReference<>();

  /** The first merge, step by step. */
  private final class StagedFiles implements ForwardingFileSystem {
    private final FileSystem files = new MemoryFileSystem();
    private volatile boolean waitedFor;

    @Override
    public FileSystem files() {
      return files;
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosedChecker") // the caller's
    public StorageFile open(Path path, OpenMode mode) throws DiskException {
      if (isMerging() && !mode.onlyReads() && !waitedFor) {
        waitedFor = comesTrue(PublishedMergeTest.this::aWriterWaits);
      }
      return files.open(path, mode);
    }

    @Override
    public void delete(Path path) throws DiskException {
      if (isMerging() && wentOn.get() == null) {
        int before = puts.get();
        wentOn.set(waitedFor && comesTrue(() -> puts.get() > before));
      }
      files.delete(path);
    }

    private static boolean isMerging() {
      return Thread.currentThread().getName().startsWith("varve-merge");
    }
  }

  private boolean aWriterWaits() {
    StorageEngine engine = opened.get();
    return engine != null
        && engine.waits().waits().stream().anyMatch(wait -> wait.cause().equals("COMPONENT_LIMIT"));
  }

  private static boolean comesTrue(BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.getAsBoolean() && System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    return condition.getAsBoolean();
  }

  /**
   * Threads that wait until they are told, and not for a time; and no watchdog, which does for a
   * writer what it would do if it looked.
   */
  private static final class PatientExecutor implements TaskExecutor {
    private final TaskExecutor threads = new ThreadTaskExecutor();

    @Override
    public Handle start(Worker worker) {
      return worker.name().equals("varve-watchdog") ? new NotStarted() : threads.start(worker);
    }

    @Override
    public Signal newSignal() {
      Signal signal = threads.newSignal();
      return new Signal() {
        @Override
        public void raise() {
          signal.raise();
        }

        @Override
        public Outcome await(BooleanSupplier done, long timeoutNanos) {
          return signal.await(done, FOREVER);
        }
      };
    }
  }

  /** Of a worker that does not run. */
  private record NotStarted() implements TaskExecutor.Handle {
    @Override
    public void wake() {
      // Nobody is there.
    }

    @Override
    public void close() {
      // Nothing was opened.
    }
  }

  @Test
  void aWriterGoesOnBeforeTheInputsAreDeleted() throws StorageException {
    EngineSeams seams =
        new EngineSeams(
            new StagedFiles(), new SystemClock(), new PatientExecutor(), Seeds.random(1));
    try (StorageEngine engine = StorageEngine.open(TestStore.options().build(), seams)) {
      opened.set(engine);
      KeyValueStore pairs =
          engine.createKeyValueStore(
              "pairs",
              KeyValueOptions.DEFAULTS
                  .withMemoryBytes(128 << 10)
                  .withMergePolicy(new MergePolicyOptions("constant(3) limit 4")));
      try (KeyValueSession session = pairs.openSession()) {
        while (wentOn.get() == null) {
          put(session, puts.getAndIncrement());
        }
      }
      assertTrue(wentOn.get(), "a writer that waited for the merge waits for its deletions, too");
      assertTrue(engine.awaitQuiet(Long.MAX_VALUE));
      assertEquals(List.of(), engine.verify().problems());
    }
  }
}
