package dev.varve.hyracks.node;

import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.PartitionTable;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.hyracks.adapter.NodeStorage;
import dev.varve.hyracks.feed.FeedName;
import dev.varve.hyracks.feed.FeedPosition;
import dev.varve.hyracks.feed.OnFull;
import dev.varve.hyracks.feed.PartitionProgress;
import dev.varve.hyracks.feed.ResumePoints;
import dev.varve.hyracks.operator.DatasetJobs;
import dev.varve.hyracks.operator.FeedReport;
import dev.varve.hyracks.operator.RecordTuples;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hyracks.api.job.JobId;
import org.apache.hyracks.api.job.JobSpecification;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/** Starts feeds of a cluster as jobs, and reads what they have done. Thread-safe. */
final class FeedRuns {
  private static final Logger LOGGER = LogManager.getLogger();

  private final JobClient client;
  private final DatasetJobs jobs;
  private final PartitionTable routing;

  /** Of the nodes in this JVM; none when they are other processes. */
  private final List<NodeStorage> storages;

  /** Two clients of a cluster begin at numbers that don't meet. */
  private final AtomicLong nextFeed = new AtomicLong(new SecureRandom().nextLong() >>> 1);

  FeedRuns(JobClient client, DatasetJobs jobs, PartitionTable routing, List<NodeStorage> storages) {
    this.client = client;
    this.jobs = jobs;
    this.routing = routing;
    this.storages = List.copyOf(storages);
  }

  /**
   * A run of a feed.
   *
   * @param job the job that does it
   * @param number on the nodes' boards
   * @param began the positions of a named feed when it began
   * @param onFull what it does when its sources give more than is taken
   */
  record Run(JobId job, long number, List<FeedPosition> began, OnFull onFull) {
    /** Whether a later run has begun further on. */
    boolean isBehind(Run later) {
      return done(began) < done(later.began);
    }

    private static long done(List<FeedPosition> positions) {
      return positions.stream().mapToLong(each -> each.records() + each.stored()).sum();
    }
  }

  /** Starts a run, which goes on where earlier ones of the same name were. */
  Run start(IngestRequest request, DatasetOptions dataset)
      throws StorageException, JobFailedException {
    long number = nextFeed.getAndIncrement();
    FeedName name = request.name();
    List<FeedPosition> positions = name == null ? List.of() : positions(name);
    JobSpecification job =
        jobs.feed(
            new DatasetJobs.FeedPlan(
                dataset,
                request.mode(),
                request.feeds(),
                number,
                name,
                ResumePoints.of(positions, routing.partitions()),
                request.onFull()),
            request.source());
    assert name == null || name.dataset().equals(dataset.name()) : name;
    return new Run(client.start(job), number, positions, request.onFull());
  }

  /** Waits for the end of a run, and returns what its partitions have done. */
  List<PartitionProgress> await(Run run) throws StorageException, JobFailedException {
    client.await(run.job);
    List<PartitionProgress> done =
        read(client.results(run.job, DatasetJobs.RESULT, RecordTuples.FRAME_BYTES));
    if (run.onFull != OnFull.THROTTLE) {
      // What the sources have met is on the boards alone.
      progress(run).stream().filter(PartitionProgress::isOfSource).forEach(done::add);
    }
    return done;
  }

  /** Cancels a run that has not ended. */
  void cancel(Run run) throws StorageException, JobFailedException {
    client.cancel(run.job);
  }

  /** What the partitions have done in a run so far. */
  List<PartitionProgress> progress(Run run) throws StorageException, JobFailedException {
    if (storages.isEmpty()) {
      return read(results(jobs.progress(run.number)));
    }
    List<PartitionProgress> all = new ArrayList<>();
    storages.forEach(storage -> all.addAll(storage.feeds().progress(run.number)));
    all.sort(Comparator.comparingInt(PartitionProgress::partition));
    return all;
  }

  /** Lets the nodes forget the counters of a run. */
  void forget(Run run) {
    storages.forEach(storage -> storage.feeds().remove(run.number));
    if (storages.isEmpty()) {
      try {
        List<PartitionProgress> forgotten = read(results(jobs.lastProgress(run.number)));
        LOGGER.debug("a feed has ended with {}", forgotten);
      } catch (StorageException | JobFailedException gone) {
        LOGGER.debug("the nodes could not be told of the end of a feed", gone);
      }
    }
  }

  /** How far a named feed has come: empty when it never ran. */
  List<FeedPosition> positions(FeedName name) throws StorageException, JobFailedException {
    List<FeedPosition> positions = new ArrayList<>();
    ResultFrames found = results(jobs.positions(name));
    while (found.next()) {
      positions.add(FeedReport.readPosition(found.record()));
    }
    return positions;
  }

  private ResultFrames results(JobSpecification job) throws StorageException, JobFailedException {
    return client.results(client.run(job), DatasetJobs.RESULT, job.getFrameSize());
  }

  private static List<PartitionProgress> read(ResultFrames tuples)
      throws StorageException, JobFailedException {
    List<PartitionProgress> all = new ArrayList<>();
    while (tuples.next()) {
      all.add(FeedReport.read(tuples.record()));
    }
    all.sort(Comparator.comparingInt(PartitionProgress::partition));
    return all;
  }
}
