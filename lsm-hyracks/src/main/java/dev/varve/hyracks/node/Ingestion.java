package dev.varve.hyracks.node;

import dev.varve.common.bytes.Slice;
import dev.varve.common.env.Signal;
import dev.varve.common.env.TaskExecutor;
import dev.varve.common.env.Worker;
import dev.varve.common.error.StorageException;
import dev.varve.hyracks.feed.PartitionProgress;
import dev.varve.hyracks.operator.DatasetJobs;
import dev.varve.hyracks.operator.FeedReport;
import dev.varve.hyracks.operator.RecordTuples;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hyracks.api.job.JobId;
import org.jspecify.annotations.Nullable;

/**
 * A feed under way: looked at while it runs, waited for, or cancelled. Thread-safe; the caller
 * closes it, which cancels it when it still runs.
 */
public final class Ingestion implements AutoCloseable {
  /** What a feed's operators have counted so far, on the nodes. */
  interface Counters {
    IngestSummary read();

    /** Forgets them. */
    void remove();
  }

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
      return "varve-feed-" + job;
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

  private final JobClient client;
  private final JobId job;
  private final Counters counters;
  private final Signal ended;
  private final TaskExecutor.Handle watcher;
  private volatile @Nullable End end;
  private volatile @Nullable IngestSummary last;

  Ingestion(JobClient client, JobId job, Counters counters, TaskExecutor executor) {
    this.client = client;
    this.job = job;
    this.counters = counters;
    this.ended = executor.newSignal();
    this.watcher = executor.start(new Watcher());
    watcher.wake();
  }

  /** What is acknowledged so far; the counts only grow. */
  public IngestSummary progress() {
    IngestSummary kept = last;
    return kept == null ? counters.read() : kept;
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
    try {
      if (end == null) {
        client.cancel(job);
      }
    } finally {
      watcher.close();
      if (last == null) {
        last = counters.read();
        counters.remove();
      }
    }
  }

  private End watch() {
    try {
      client.await(job);
      List<PartitionProgress> reports = new ArrayList<>();
      ResultFrames tuples = client.results(job, DatasetJobs.RESULT, RecordTuples.FRAME_BYTES);
      while (tuples.next()) {
        Slice report = tuples.record();
        reports.add(FeedReport.read(report));
      }
      reports.sort(Comparator.comparingInt(PartitionProgress::partition));
      return new End(new IngestSummary(reports), null, null);
    } catch (StorageException failure) {
      return new End(null, failure, null);
    } catch (JobFailedException failure) {
      return new End(null, null, failure);
    }
  }
}
