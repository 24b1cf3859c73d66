package dev.varve.cli.command;

import dev.varve.common.error.StorageException;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.hyracks.feed.PartitionCounters;
import dev.varve.hyracks.feed.PartitionProgress;
import dev.varve.hyracks.feed.RefusalReport;
import dev.varve.hyracks.node.Cluster;
import dev.varve.hyracks.node.IngestRequest;
import dev.varve.hyracks.node.Ingestion;
import dev.varve.hyracks.node.JobFailedException;
import dev.varve.report.Figures;
import dev.varve.report.Progress;
import dev.varve.report.command.CommandContext;
import dev.varve.report.command.ProcessUsage;
import dev.varve.report.command.StopSignal;
import dev.varve.tweets.TweetSource;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One feed: watched while it runs, and told about in figures. Confined to the main thread. */
final class IngestRun {
  private static final long ACKNOWLEDGEMENT_NANOS = 5_000_000L;
  private static final long PROGRESS_NANOS = 500_000_000L;

  private final CommandContext context;
  private final Cluster cluster;
  private final IngestRequest request;
  private final TweetSource tweets;
  private final Map<Integer, Long> written = new HashMap<>();

  IngestRun(CommandContext context, Cluster cluster, IngestRequest request, TweetSource tweets) {
    this.context = context;
    this.cluster = cluster;
    this.request = request;
    this.tweets = tweets;
  }

  IngestSummary run(@Nullable Path acknowledgements, StopSignal signal, String durability)
      throws StorageException, JobFailedException {
    StorageFigures storageBefore = StorageFigures.of(cluster);
    ProcessUsage usageBefore = ProcessUsage.now(context.files());
    long began = context.clock().nanoTime();
    dev.varve.hyracks.node.IngestSummary result;
    try (AcknowledgementFile file =
            acknowledgements == null
                ? null
                : AcknowledgementFile.open(context.files(), acknowledgements);
        Ingestion ingestion = cluster.ingest(request)) {
      watch(ingestion, file, began);
      result = ingestion.result();
      acknowledge(file, result);
    }
    double seconds = (context.clock().nanoTime() - began) / 1e9;
    ProcessUsage usage = ProcessUsage.now(context.files());
    StorageFigures storage = StorageFigures.of(cluster);
    return new IngestSummary(
        "ingest",
        setup(durability),
        feed(result, signal.exitCode()),
        cost(result.stored(), seconds, usageBefore, usage),
        storage.since(storageBefore),
        storage.recoverySeconds());
  }

  private void watch(Ingestion ingestion, @Nullable AcknowledgementFile file, long began)
      throws StorageException, JobFailedException {
    long interval = file == null ? PROGRESS_NANOS : ACKNOWLEDGEMENT_NANOS;
    long shown = began;
    try (Progress progress =
        new Progress(
            context.progress(), context.console().err(), "ingest", request(tweets.tweets()))) {
      while (!ingestion.await(interval)) {
        dev.varve.hyracks.node.IngestSummary now = ingestion.progress();
        acknowledge(file, now);
        long nanos = context.clock().nanoTime();
        if (nanos - shown >= PROGRESS_NANOS) {
          shown = nanos;
          progress.update(now.stored() + now.refused(), note(now, nanos - began), nanos);
        }
      }
      dev.varve.hyracks.node.IngestSummary end = ingestion.progress();
      long nanos = context.clock().nanoTime();
      progress.update(end.stored() + end.refused(), note(end, nanos - began), nanos);
    }
  }

  /** A bar of no length can't be drawn. */
  private static long request(long tweets) {
    return Math.max(1, tweets);
  }

  private String note(dev.varve.hyracks.node.IngestSummary now, long nanos)
      throws StorageException {
    String speed =
        Figures.count(Math.round(now.stored() * 1e9 / Math.max(1, nanos))) + " records/s, ";
    try {
      StorageFigures storage = StorageFigures.of(cluster);
      return speed + storage.components() + " components, " + storage.stallCount() + " stalls";
    } catch (JobFailedException dead) {
      return speed + "a node does not answer";
    }
  }

  /** Writes a line for each partition that has come further. */
  private void acknowledge(
      @Nullable AcknowledgementFile file, dev.varve.hyracks.node.IngestSummary now)
      throws StorageException {
    if (file == null) {
      return;
    }
    for (PartitionProgress partition : now.partitions()) {
      long highest = partition.highestKey();
      if (highest > written.getOrDefault(partition.partition(), PartitionCounters.NO_KEY)) {
        file.append(partition.partition(), highest);
        written.put(partition.partition(), highest);
      }
    }
  }

  private IngestSummary.Setup setup(String durability) throws StorageException, JobFailedException {
    DatasetOptions dataset = cluster.describe(TweetCluster.DATASET);
    List<String> indexes = dataset.indexes().stream().map(IndexDefinition::name).toList();
    return new IngestSummary.Setup(
        tweets,
        request.mode().name().toLowerCase(Locale.ROOT),
        durability,
        new IngestSummary.Shape(
            cluster.shape().nodes(), cluster.shape().table().partitions(), indexes));
  }

  private static IngestSummary.Feed feed(
      dev.varve.hyracks.node.IngestSummary result, int exitCode) {
    Map<String, Long> refused = new LinkedHashMap<>();
    for (RefusalReport refusal : result.refusals()) {
      refused.put(refusal.reason().name(), refusal.count());
    }
    return new IngestSummary.Feed(result.stored(), refused, exitCode);
  }

  private static IngestSummary.Cost cost(
      long stored, double seconds, ProcessUsage before, ProcessUsage after) {
    double cpuSeconds = before.cpuNanos() < 0 ? -1 : (after.cpuNanos() - before.cpuNanos()) / 1e9;
    return new IngestSummary.Cost(
        seconds,
        stored / seconds,
        cpuSeconds,
        stored == 0 ? 0 : cpuSeconds * 1e6 / stored,
        (after.gcMillis() - before.gcMillis()) / 1e3,
        after.heapUsedBytes(),
        after.heapMaxBytes(),
        after.peakResidentBytes());
  }
}
