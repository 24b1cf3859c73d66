package dev.varve.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.testkit.Seeds;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Goal: percentiles of flows are exact. Method: by hand, and against many single samples. */
final class LatencyRecorderTest {
  @Test
  void nothingRecordedIsZero() {
    assertEquals(new LatencySummary(0, 0, 0, 0, 0, 0, 0), new LatencyRecorder().summary());
  }

  @Test
  void anEvenSpreadHasItsPercentilesAtItsParts() {
    LatencyRecorder recorder = new LatencyRecorder();
    recorder.add(10, 0, 500); // either order
    LatencySummary summary = recorder.summary();
    assertEquals(500, summary.writes());
    assertEquals(5, summary.mean(), 1e-12);
    assertEquals(5, summary.p50(), 1e-9);
    assertEquals(9.9, summary.p99(), 1e-9);
    assertEquals(10, summary.max());
  }

  @Test
  void equalLatenciesAreOneStep() {
    LatencyRecorder recorder = new LatencyRecorder();
    recorder.add(1, 1, 900);
    recorder.add(7, 7, 100);
    assertEquals(1, recorder.summary().p50());
    assertEquals(1, recorder.summary().p90());
    assertEquals(7, recorder.summary().p99());
  }

  @Test
  void mixedSpreadsHaveThePercentilesOfTheirSamples() throws Exception {
    Seeds.run(
        50,
        seed -> {
          RandomGenerator random = Seeds.random(seed);
          LatencyRecorder recorder = new LatencyRecorder();
          int spreads = random.nextInt(1, 20);
          int samples = 2000;
          double[] all = new double[spreads * samples];
          for (int i = 0; i < spreads; i++) {
            double low = random.nextDouble(0, 10);
            double high = random.nextInt(4) == 0 ? low : low + random.nextDouble(0, 10);
            recorder.add(low, high, samples);
            for (int j = 0; j < samples; j++) {
              all[i * samples + j] = low + (high - low) * (j + 0.5) / samples;
            }
          }
          Arrays.sort(all);
          LatencySummary summary = recorder.summary();
          assertEquals(
              0.5, partUpTo(all, summary.p50() + 1e-6), 0.01 + equalTo(all, summary.p50()));
          assertEquals(
              0.99, partUpTo(all, summary.p99() + 1e-6), 0.01 + equalTo(all, summary.p99()));
          assertTrue(partUpTo(all, summary.p50() - 1e-6) <= 0.51);
          assertEquals(Arrays.stream(all).average().orElseThrow(), summary.mean(), 1e-3);
        });
  }

  /** The part of the samples at or below a bound: between two spreads it is flat, so compare it. */
  private static double partUpTo(double[] all, double bound) {
    return Arrays.stream(all).filter(sample -> sample <= bound).count() / (double) all.length;
  }

  private static double equalTo(double[] all, double value) {
    return partUpTo(all, value + 1e-6) - partUpTo(all, value - 1e-6);
  }
}
