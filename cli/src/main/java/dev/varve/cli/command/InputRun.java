package dev.varve.cli.command;

import dev.varve.common.error.StorageException;
import dev.varve.hyracks.node.Cluster;
import dev.varve.hyracks.node.IngestRequest;
import dev.varve.hyracks.node.IngestSummary;
import dev.varve.hyracks.node.Ingestion;
import dev.varve.hyracks.node.JobFailedException;
import dev.varve.report.command.CommandContext;
import dev.varve.report.command.StopSignal;
import org.jspecify.annotations.Nullable;

/** A feed of somebody's data, until it ends or is stopped. Confined to the main thread. */
final class InputRun {
  private static final long LOOK_NANOS = 200_000_000L;

  /** After a signal a feed gets this time to end by itself: one that waits for its input can't. */
  private static final long GRACE_NANOS = 5_000_000_000L;

  private final CommandContext context;
  private final Cluster cluster;
  private final IngestRequest request;

  InputRun(CommandContext context, Cluster cluster, IngestRequest request) {
    this.context = context;
    this.cluster = cluster;
    this.request = request;
  }

  /**
   * Runs the feed.
   *
   * @param mostRefused how many records may be refused; null for any number
   */
  InputSummary run(@Nullable Long mostRefused, StopSignal signal)
      throws StorageException, JobFailedException {
    long began = context.clock().nanoTime();
    long signalled = 0;
    try (Ingestion feed = cluster.ingest(request)) {
      while (!feed.await(LOOK_NANOS)) {
        long now = context.clock().nanoTime();
        if (mostRefused != null && feed.progress().refused() > mostRefused) {
          return summary(feed.progress(), "REFUSALS", now - began);
        }
        if (signal.exitCode() != 0) {
          signalled = signalled == 0 ? now : signalled;
          if (now - signalled > GRACE_NANOS || !cluster.isEmbedded()) {
            return summary(feed.progress(), "SIGNAL", now - began);
          }
        }
      }
      IngestSummary result = feed.result();
      boolean tooMany = mostRefused != null && result.refused() > mostRefused;
      String stopped = signal.exitCode() != 0 ? "SIGNAL" : tooMany ? "REFUSALS" : "";
      return summary(result, stopped, context.clock().nanoTime() - began);
    }
  }

  private InputSummary summary(IngestSummary result, String stopped, long nanos) {
    return new InputSummary(
        "ingest",
        request.dataset(),
        result.stored(),
        result.refusals(),
        result.overflow(),
        stopped,
        nanos / 1e9);
  }
}
