package dev.varve.benchmarks;

import dev.varve.benchmarks.kv.Comparison;
import dev.varve.benchmarks.kv.ComparisonSettings;
import dev.varve.benchmarks.kv.Phase;
import dev.varve.benchmarks.kv.PhaseOutcome;
import dev.varve.benchmarks.report.Report;
import dev.varve.report.Progress;
import dev.varve.report.command.CommandContext;
import org.jspecify.annotations.Nullable;

/**
 * Shows how far a comparison is, a bar for each phase, and prints what came of a phase as soon as
 * it is over. Confined to the main thread.
 */
final class RunWatcher implements Comparison.Watcher, AutoCloseable {
  private static final int PERCENT = 100;

  private final CommandContext context;
  private final @Nullable Report report;
  private double secondsLeft;
  private double phaseSeconds;
  private String id = "";
  private @Nullable Progress progress;

  /** A watcher that prints tables, or none without a report. */
  RunWatcher(CommandContext context, ComparisonSettings settings, @Nullable Report report) {
    this.context = context;
    this.report = report;
    this.secondsLeft = settings.estimatedSeconds();
  }

  @Override
  public void begins(Phase phase, double estimatedSeconds) {
    id = phase.id();
    phaseSeconds = estimatedSeconds;
    progress = new Progress(context.progress(), context.console().err(), id, PERCENT);
  }

  @Override
  public void progress(double share, String what) {
    if (progress != null) {
      double left = secondsLeft - share * phaseSeconds;
      progress.update(
          Math.round(share * PERCENT),
          "%s %s, about %d min left".formatted(id, what, Math.round(left / 60)),
          context.clock().nanoTime());
    }
  }

  @Override
  public void ended(PhaseOutcome outcome) {
    secondsLeft -= phaseSeconds;
    close();
    if (report != null) {
      report.print(outcome);
    }
  }

  /** Leaves the bar; idempotent. */
  @Override
  public void close() {
    if (progress != null) {
      progress.close();
      progress = null;
    }
  }
}
