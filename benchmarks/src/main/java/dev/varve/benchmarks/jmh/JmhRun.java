package dev.varve.benchmarks.jmh;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Runs the benchmarks of this package: what {@code bench jmh} does. The arguments are those of
 * JMH's own main class; what they leave open stands here, and not in each benchmark: nanoseconds
 * for an operation, few and short iterations, so that all of them end in a few minutes. JMH prints
 * to standard output. Thread-safe: no state.
 */
public final class JmhRun {
  private static final int OK = 0;
  private static final int FAILED = 1;
  private static final int WRONG_ARGUMENTS = 2;

  /** The benchmarks' heap, so that figures of two runs compare. */
  private static final List<String> JVM_ARGUMENTS = List.of("-Xms2g", "-Xmx2g", "-XX:+UseG1GC");

  private JmhRun() {}

  /**
   * Runs the benchmarks that the arguments select, all without any.
   *
   * @param arguments regular expressions and options of JMH
   * @return exit code: 0 when all went well, 1 when a benchmark failed, 2 when arguments are wrong
   */
  public static int run(List<String> arguments) {
    PrintStream errors = System.err;
    try {
      return run(new CommandLineOptions(arguments.toArray(String[]::new)));
    } catch (CommandLineOptionException e) {
      errors.println("bench jmh: " + e.getMessage());
      return WRONG_ARGUMENTS;
    } catch (RunnerException e) {
      errors.println("bench jmh: " + e);
      return FAILED;
    }
  }

  private static int run(CommandLineOptions arguments)
      throws CommandLineOptionException, RunnerException {
    if (arguments.shouldHelp()) {
      showHelp(arguments);
    } else if (arguments.shouldListProfilers()) {
      arguments.listProfilers();
    } else if (arguments.shouldListResultFormats()) {
      arguments.listResultFormats();
    } else if (arguments.shouldListWithParams()) {
      new Runner(arguments).listWithParams(arguments);
    } else if (arguments.shouldList()) {
      new Runner(arguments).list();
    } else {
      new Runner(completed(arguments)).run();
    }
    return OK;
  }

  private static void showHelp(CommandLineOptions arguments) throws CommandLineOptionException {
    try {
      arguments.showHelp();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The options, with our own where nobody said otherwise. */
  static Options completed(CommandLineOptions arguments) {
    ChainedOptionsBuilder options = new OptionsBuilder().parent(arguments);
    if (arguments.getProfilers().isEmpty()) {
      // Bytes per operation count as much as time.
      options.addProfiler(GCProfiler.class);
    }
    if (arguments.getBenchModes().isEmpty()) {
      options.mode(Mode.AverageTime);
    }
    options.timeUnit(arguments.getTimeUnit().orElse(TimeUnit.NANOSECONDS));
    options.forks(arguments.getForkCount().orElse(1));
    options.jvmArgs(arguments.getJvmArgs().orElse(JVM_ARGUMENTS).toArray(String[]::new));
    options.warmupIterations(arguments.getWarmupIterations().orElse(3));
    options.warmupTime(arguments.getWarmupTime().orElse(TimeValue.seconds(1)));
    options.measurementIterations(arguments.getMeasurementIterations().orElse(5));
    options.measurementTime(arguments.getMeasurementTime().orElse(TimeValue.seconds(1)));
    options.shouldFailOnError(arguments.shouldFailOnError().orElse(true));
    return options.build();
  }
}
