package dev.varve.benchmarks.kv;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.measure.Work;
import dev.varve.common.testkit.ManualClock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Goal: a load ends when its time is up, or its trial is not passed. Method: a clock by hand. */
final class OperationWorkerTest {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final ManualClock clock = new ManualClock();

  /** A store whose every put takes some time. */
  private final class SlowStore extends MemoryStore {
    private final long putMillis;

    SlowStore(long putMillis) {
      this.putMillis = putMillis;
    }

    @Override
    public void put(byte[] key, byte[] value) {
      clock.advanceNanos(putMillis * NANOS_PER_MILLI);
      super.put(key, value);
    }
  }

  /** A load of 10,000 records that takes 40 seconds at most. */
  @ParameterizedTest
  @CsvSource({
    // milliseconds of a put, seconds of the trial, how many are done
    "1, 10, 10000", // to its end
    "10, 10, 4000", // until its time is up: a tenth was done in the trial
    "20, 10, 2000", // a twentieth was
    "25, 10, 400", // less than a twentieth
    "25, 40, 1600", // no trial
  })
  void aLoadThatWillNotComeNearItsEndIsCutOffEarly(long putMillis, double trial, long done)
      throws BenchmarkException {
    Work work =
        new Work(
            Action.LOAD.name(), 1, new Work.Span(0, 10_000), new Work.Effort(1, 10_000, 40, trial));
    WorkRun.Subject subject =
        new WorkRun.Subject(new SlowStore(putMillis), new Records(KeyOrder.RANDOM, 1), 100);
    OperationWorker worker = new OperationWorker(subject, work, 0, clock);
    worker.run();
    assertEquals(done, worker.timings().done());
  }
}
