package dev.varve.hyracks.node;

import dev.varve.common.env.Clock;
import dev.varve.common.env.Signal;
import dev.varve.common.env.SystemClock;
import dev.varve.common.env.TaskExecutor;
import dev.varve.common.env.Worker;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.hyracks.feed.FeedName;
import dev.varve.hyracks.feed.FeedPosition;
import dev.varve.hyracks.feed.PartitionProgress;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A feed under way: looked at while it runs, waited for, or cancelled. A named one begins again by
 * itself, where it was, when a node or the controller has died and is back in time. Thread-safe;
 * the caller closes it, which cancels it when it still runs.
 */
public final class Ingestion implements AutoCloseable {
  private static final Logger LOGGER = LogManager.getLogger();
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /** How a feed ended: with a summary or with one of the two failures. */
  private record End(
      @Nullable IngestSummary summary,
      @Nullable StorageException storage,
      @Nullable JobFailedException job) {
    IngestSummary summaryOrThrow() throws StorageException, JobFailedException {
      if (storage != null) {
        throw storage;
      }
      if (job != null) {
        throw job;
      }
      if (summary == null) {
        throw new IllegalStateException("a feed ended without a summary or a failure");
      }
      return summary;
    }
  }

  /** Waits for the job, so that a caller may wait for a limited time only. */
  private final class Watcher implements Worker {
    @Override
    public String name() {
      return "varve-feed-" + run.job();
    }

    @Override
    public int doWork() {
      if (end == null) {
        end = watch();
        ended.raise();
      }
      return 0;
    }

    @Override
    public void failed(Throwable cause) {
      end = new End(null, null, new JobFailedException("the feed's watcher failed", cause));
      ended.raise();
    }
  }

  private final Clock clock = new SystemClock();
  private final FeedRuns runs;
  private final IngestRequest request;
  private final DatasetOptions dataset;
  private final List<FeedPosition> began;
  private final Signal ended;
  private final Signal closing;
  private final TaskExecutor.Handle watcher;
  private volatile FeedRuns.Run run;
  private volatile boolean stopping;
  private volatile boolean closed;
  private volatile @Nullable End end;
  private volatile IngestSummary last = new IngestSummary(List.of());

  Ingestion(FeedRuns runs, IngestRequest request, DatasetOptions dataset, TaskExecutor executor)
      throws StorageException, JobFailedException {
    this.runs = runs;
    this.request = request;
    this.dataset = dataset;
    this.run = runs.start(request, dataset);
    this.began = run.began();
    this.ended = executor.newSignal();
    this.closing = executor.newSignal();
    this.watcher = executor.start(new Watcher());
    watcher.wake();
  }

  /**
   * What is acknowledged so far; the counts only grow. Where a node does not answer, it is what was
   * known last.
   */
  public IngestSummary progress() {
    if (!closed) {
      try {
        last = summary(runs.progress(run));
      } catch (StorageException | JobFailedException unknown) {
        LOGGER.debug("the nodes could not be asked for their progress", unknown);
      }
    }
    return last;
  }

  private IngestSummary summary(List<PartitionProgress> live)
      throws StorageException, JobFailedException {
    FeedName name = request.name();
    return name == null
        ? new IngestSummary(live)
        : IngestSummary.between(began, runs.positions(name), live);
  }

  /**
   * Waits for the feed's end, at most for a while.
   *
   * @return whether it has ended
   */
  public boolean await(long timeoutNanos) {
    return ended.await(() -> end != null, timeoutNanos) == Signal.Outcome.DONE;
  }

  /** Waits for the feed's end; throws what it failed with. */
  public IngestSummary result() throws StorageException, JobFailedException {
    Signal.Outcome outcome = ended.await(() -> end != null, Signal.FOREVER);
    End reached = end;
    if (reached == null) {
      throw new JobFailedException("waiting for the feed was " + outcome, null);
    }
    return reached.summaryOrThrow();
  }

  /** Cancels the feed if it still runs; what was acknowledged stays. Idempotent. */
  @Override
  public void close() throws StorageException, JobFailedException {
    if (closed) {
      return;
    }
    stopping = true;
    closing.raise();
    try {
      if (end == null) {
        runs.cancel(run);
      }
    } finally {
      watcher.close();
      progress();
      closed = true;
      runs.forget(run);
    }
  }

  private End watch() {
    long until = 0;
    while (true) {
      long started = clock.nanoTime();
      try {
        return new End(summary(runs.await(run)), null, null);
      } catch (StorageException failure) {
        return new End(null, failure, null);
      } catch (JobFailedException failure) {
        LOGGER.info("a run of the feed has failed", failure);
        long now = clock.nanoTime();
        if (until == 0 || now - started > request.retryNanos()) {
          until = now + request.retryNanos();
        }
        FeedRuns.Run next = request.name() == null ? null : begunAgain(until);
        if (next == null) {
          return new End(
              null, null, new JobFailedException(failure.getMessage() + known(), failure));
        }
        until = run.isBehind(next) ? 0 : until;
        run = next;
      }
    }
  }

  /** What is known to be durable of each input of a named feed, for a message. */
  private String known() {
    Map<String, List<FeedPosition>> byInput =
        progress().positions().stream()
            .collect(Collectors.groupingBy(FeedPosition::input, TreeMap::new, Collectors.toList()));
    StringBuilder text = new StringBuilder();
    byInput.forEach(
        (input, positions) ->
            text.append(
                "%n%s: %,d records stored and %,d refused, as far as is known"
                    .formatted(
                        input,
                        positions.stream().mapToLong(FeedPosition::stored).sum(),
                        positions.stream().mapToLong(FeedPosition::refusals).sum())));
    return text.toString();
  }

  /** Begins again once the nodes take jobs; null when that takes too long, or nobody waits. */
  private FeedRuns.@Nullable Run begunAgain(long until) {
    while (clock.nanoTime() < until && !stopping) {
      if (closing.await(() -> stopping, RETRY_NANOS) == Signal.Outcome.INTERRUPTED) {
        return null;
      }
      try {
        return runs.start(request, dataset);
      } catch (StorageException | JobFailedException notYet) {
        LOGGER.debug("the feed can't go on yet", notYet);
      }
    }
    return null;
  }
}
