package dev.varve.benchmarks.jmh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.ProfilerConfig;
import org.openjdk.jmh.runner.options.TimeValue;

/** The options that {@code bench jmh} runs with, and its exit codes. */
class JmhRunTest {
  private static Options completed(String... arguments) throws CommandLineOptionException {
    return JmhRun.completed(new CommandLineOptions(arguments));
  }

  @Test
  void withoutArgumentsEveryBenchmarkRunsShortlyWithTheGcProfiler()
      throws CommandLineOptionException {
    Options options = completed();
    assertEquals(List.of(), options.getIncludes());
    assertEquals(1, options.getForkCount().get());
    assertEquals(3, options.getWarmupIterations().get());
    assertEquals(5, options.getMeasurementIterations().get());
    assertEquals(TimeValue.seconds(1), options.getWarmupTime().get());
    assertEquals(TimeValue.seconds(1), options.getMeasurementTime().get());
    assertEquals(List.of(Mode.AverageTime), List.copyOf(options.getBenchModes()));
    assertEquals(TimeUnit.NANOSECONDS, options.getTimeUnit().get());
    assertTrue(options.getJvmArgs().get().contains("-Xmx2g"));
    assertTrue(options.shouldFailOnError().get());
    assertEquals(
        List.of(GCProfiler.class.getName()),
        options.getProfilers().stream().map(ProfilerConfig::getKlass).toList());
  }

  @Test
  void whatTheArgumentsSayCounts() throws CommandLineOptionException {
    Options options =
        completed(
            "Lock",
            "-f",
            "2",
            "-wi",
            "1",
            "-i",
            "7",
            "-w",
            "2s",
            "-r",
            "3s",
            "-bm",
            "thrpt",
            "-tu",
            "ms",
            "-prof",
            "stack",
            "-jvmArgs",
            "-Xmx1g",
            "-foe",
            "false");
    assertEquals(List.of("Lock"), options.getIncludes());
    assertEquals(2, options.getForkCount().get());
    assertEquals(1, options.getWarmupIterations().get());
    assertEquals(7, options.getMeasurementIterations().get());
    assertEquals(TimeValue.seconds(2), options.getWarmupTime().get());
    assertEquals(TimeValue.seconds(3), options.getMeasurementTime().get());
    assertEquals(List.of(Mode.Throughput), List.copyOf(options.getBenchModes()));
    assertEquals(TimeUnit.MILLISECONDS, options.getTimeUnit().get());
    assertEquals(List.of("-Xmx1g"), List.copyOf(options.getJvmArgs().get()));
    assertEquals(false, options.shouldFailOnError().get());
    assertEquals(
        List.of("stack"), options.getProfilers().stream().map(ProfilerConfig::getKlass).toList());
  }

  @Test
  void theExitCodeSaysHowItWent() {
    assertEquals(0, JmhRun.run(List.of("-l")));
    assertEquals(0, JmhRun.run(List.of("-h")));
    assertEquals(
        0,
        JmhRun.run(
            List.of("Checksum", "-p", "bytes=120", "-f", "0", "-wi", "0", "-i", "1", "-r", "1ms")));
    assertEquals(1, JmhRun.run(List.of("NoSuchBenchmark")));
    assertEquals(2, JmhRun.run(List.of("--no-such-option")));
  }
}
