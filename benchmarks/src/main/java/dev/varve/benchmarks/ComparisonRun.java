package dev.varve.benchmarks;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.measure.Machine;
import dev.varve.benchmarks.report.Findings;
import dev.varve.benchmarks.report.Goal;
import dev.varve.benchmarks.report.Plot;
import dev.varve.benchmarks.report.Report;
import dev.varve.benchmarks.report.Section;
import dev.varve.common.error.DiskException;
import dev.varve.report.command.CommandContext;
import dev.varve.report.command.StopSignal;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * What every command that measures does around its own work: makes its directories, says what will
 * come, ends at a signal, and leaves nothing but its report. Confined to the main thread.
 *
 * @param context of the command
 * @param places where its files are
 * @param keep whether the stores' files stay
 */
record ComparisonRun(CommandContext context, RunPlaces places, boolean keep) {
  /** What is done. */
  @FunctionalInterface
  interface Work {
    /** Does it all, reporting included. */
    void run() throws BenchmarkException, DiskException;
  }

  /** Goes through phases. */
  @FunctionalInterface
  interface Phases {
    /** What came of them. */
    List<Section> run() throws BenchmarkException, DiskException;
  }

  /**
   * What a report says of sections.
   *
   * @param command {@code bench spatial}
   * @param facts what was asked for, in words
   * @param options of each store, by label
   * @param caveats what can be held against it
   * @param goals what the sections are held against
   * @param plots what is drawn beside the plots of each phase
   */
  record Frame(
      String command,
      Map<String, String> facts,
      Map<String, String> options,
      List<String> caveats,
      Function<List<Section>, List<Goal.Outcome>> goals,
      Function<List<Section>, List<Plot>> plots) {}

  /** A report in its place. */
  Report report(Report.Form form) {
    return new Report(context.console(), context.files(), places.out(), form);
  }

  /**
   * Does some work; the exit code.
   *
   * @param what what will come, in words
   * @param seconds how long that takes, roughly
   * @param stop ends the work as soon as possible, from another thread
   */
  int run(String what, double seconds, Runnable stop, Work work)
      throws BenchmarkException, DiskException {
    PrintWriter err = context.console().err();
    places.create(context.files());
    try (StopSignal signal = StopSignal.listen(stop)) {
      err.println(
          "%s, about %d minutes; files in %s"
              .formatted(what, Math.max(1, Math.round(seconds / 60)), places.scratch()));
      for (Path other : places.others(context.files())) {
        err.println("Another run has files in " + other + "; if it was killed, delete them.");
      }
      try {
        work.run();
      } catch (BenchmarkException failure) {
        if (signal.exitCode() == 0) {
          throw failure;
        }
        err.println("Stopped.");
      }
      return signal.exitCode();
    } finally {
      if (!keep) {
        places.clean(context.files());
      }
      places.deleteEmptyLogs(context.files());
    }
  }

  /** Runs phases, and writes and prints what was found. */
  void report(Report report, Frame frame, Phases phases) throws BenchmarkException, DiskException {
    Findings findings = findings(frame, phases);
    List<Section> sections = findings.sections();
    report.finish(findings, frame.goals.apply(sections), frame.plots.apply(sections));
  }

  /** Runs phases; what was found. */
  Findings findings(Frame frame, Phases phases) throws BenchmarkException, DiskException {
    long start = context.clock().nanoTime();
    List<Section> sections = phases.run();
    return new Findings(
        frame.command,
        Machine.here(places.time()),
        frame.facts,
        frame.options,
        sections,
        frame.caveats,
        (context.clock().nanoTime() - start) / 1e9);
  }
}
