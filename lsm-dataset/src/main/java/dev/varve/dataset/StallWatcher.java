package dev.varve.dataset;

import dev.varve.common.env.Signal;
import dev.varve.common.env.Worker;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.internal.partition.NodeContext;
import dev.varve.dataset.internal.partition.NodeHealth;
import dev.varve.dataset.internal.partition.OpenTransactions;
import dev.varve.dataset.internal.partition.Snapshots;
import dev.varve.scheduler.budget.IoBudget;
import dev.varve.scheduler.watch.Sample;
import dev.varve.scheduler.watch.StallWatch;
import dev.varve.scheduler.watch.StallWatch.Breach;
import dev.varve.scheduler.watch.StallWatch.Rule;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.stream.Collectors;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The engine's watchdog: once a second, while writers wait, merges run, space of large values is
 * given back or transactions are open, it checks the rules of {@link StallWatch}, logs the first
 * breach of each as an error, ends transactions that are open for too long, and shows who waits for
 * what, and who keeps the log, in a file that other processes can read. It sleeps while nothing is
 * to be done. One thread at a time, except for {@link #broken}.
 */
final class StallWatcher implements Worker {
  private static final Logger LOGGER = LogManager.getLogger(StallWatcher.class);
  private static final long PERIOD_NANOS = 1_000_000_000;

  /** How long nothing may move before a wait counts as stuck, unless the budget is slower. */
  private static final long PATIENCE_NANOS = 30 * PERIOD_NANOS;

  /** A transaction is meant to be over long before. */
  private static final long HELD_NANOS = 10 * PERIOD_NANOS;

  private static final int MOST_KEPT = 16;

  private final WaitReports reports;
  private final NodeHealth health;
  private final OpenTransactions transactions;
  private final Snapshots snapshots;
  private final IoBudget budget;
  private final Set<Rule> logged = EnumSet.noneOf(Rule.class);
  private final Deque<String> broken = new ConcurrentLinkedDeque<>();
  private @Nullable Sample last;
  private @Nullable StallWatch watch;
  private long napNanos = Signal.FOREVER;
  private boolean shown;
  private boolean unwritable;
  private boolean failing;

  /**
   * A watchdog that has seen nothing.
   *
   * @param budget that flushes and merges keep to
   */
  StallWatcher(WaitReports reports, NodeContext node, IoBudget budget) {
    this.reports = reports;
    this.health = node.health();
    this.transactions = node.openTransactions();
    this.snapshots = node.snapshots();
    this.budget = budget;
  }

  private long patienceNanos() {
    return Math.max(PATIENCE_NANOS, 4 * budget.roundNanos());
  }

  /** What was broken, latest last; a bounded number. */
  List<String> broken() {
    return List.copyOf(broken);
  }

  @Override
  public String name() {
    return "varve-watchdog";
  }

  /** A look that fails, for want of heap or of a file handle, is not the last one. */
  @Override
  public int doWork() {
    napNanos = Signal.FOREVER;
    if (health.closed()) {
      return 0;
    }
    try {
      look();
      failing = false;
    } catch (RuntimeException | LinkageError | OutOfMemoryError e) {
      napNanos = PERIOD_NANOS;
      if (!failing) {
        failing = true;
        FailurePaths.warn(LOGGER, "the {} failed, and goes on", name(), e);
      }
    }
    return 0;
  }

  private void look() {
    long now = reports.nanoTime();
    Sample before = last;
    if (before != null && now - before.nanos() < PERIOD_NANOS) {
      napNanos = before.nanos() + PERIOD_NANOS - now;
      return;
    }
    boolean open = transactions.endOverdue() || snapshots.keepFor(0);
    Sample sample = reports.sample();
    boolean idle =
        sample.waits().isEmpty() && sample.stats().tasks().isEmpty() && reports.values().isEmpty();
    if (idle && open) {
      napNanos = PERIOD_NANOS;
    }
    if (idle && !heldForLong()) {
      last = null;
      watch = null;
      hide();
      return;
    }
    napNanos = PERIOD_NANOS;
    look(before, sample);
  }

  /** Whether the log or older versions are kept for so long that it is worth showing. */
  private boolean heldForLong() {
    return snapshots.keepFor(HELD_NANOS)
        || transactions.list().stream().anyMatch(held -> held.nanos() >= HELD_NANOS);
  }

  private void look(@Nullable Sample before, Sample sample) {
    last = sample;
    StallWatch then = watch;
    StallWatch next = then == null ? StallWatch.begin(patienceNanos(), sample) : then.next(sample);
    watch = next;
    if (before == null) {
      // What is over within a second is not worth a file.
      return;
    }
    List<Breach> breaches = next.breaches(sample);
    for (Breach breach : breaches) {
      report(breach);
    }
    if (breaches.isEmpty()) {
      logged.clear();
    }
    show(before, sample, breaches);
  }

  private void report(Breach breach) {
    if (!logged.add(breach.rule())) {
      return;
    }
    LOGGER.error("{} does not hold: {}", breach.rule(), breach.text());
    broken.addLast(breach.rule() + ": " + breach.text());
    if (broken.size() > MOST_KEPT) {
      broken.removeFirst();
    }
  }

  private void show(Sample before, Sample sample, List<Breach> breaches) {
    List<String> texts =
        breaches.stream()
            .map(breach -> breach.rule() + ": " + breach.text())
            .collect(Collectors.toList());
    try {
      reports.write(before, sample, texts);
      shown = true;
      unwritable = false;
    } catch (StorageException e) {
      warn(e);
    }
  }

  private void hide() {
    if (shown) {
      shown = false;
      try {
        reports.deleteFile();
      } catch (StorageException e) {
        warn(e);
      }
    }
  }

  /** Nothing depends on the file; a disk that is full would fill the log, too. */
  private void warn(StorageException cause) {
    if (!unwritable) {
      unwritable = true;
      FailurePaths.warn(
          LOGGER, "who waits for what is not shown in {}", WaitReportFile.NAME, cause);
    }
  }

  @Override
  public long napNanos() {
    return napNanos;
  }

  @Override
  public void failed(Throwable cause) {
    FailurePaths.warn(LOGGER, "the {} has failed; the engine goes on without it", name(), cause);
  }
}
