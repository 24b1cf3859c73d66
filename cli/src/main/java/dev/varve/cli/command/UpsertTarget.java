package dev.varve.cli.command;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.Dataset;
import dev.varve.dataset.RecordSession;
import dev.varve.dataset.model.WriteOutcome;
import java.util.List;
import java.util.function.Supplier;

/**
 * Upserts into a dataset that may have records, forced together some at a time. A kill leaves those
 * up to some record; the same import again makes it whole. Confined to one thread.
 */
final class UpsertTarget implements ImportTarget {
  /** How many upserts share a force, on each node. */
  private static final int FORCED_TOGETHER = 1_000;

  private final PerNode<RecordSession> sessions;
  private long replaced;
  private long durable;

  /**
   * Opens sessions.
   *
   * @param nodes the dataset on each node, in the order of nodes
   */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // closed with the target
  UpsertTarget(List<Dataset> nodes) throws StorageException {
    this.sessions = PerNode.open(nodes, Dataset::openSession, RecordSession::close);
  }

  @Override
  public String method() {
    return "upserts";
  }

  @Override
  public long durable() {
    return durable;
  }

  @Override
  public void add(Slice record, Supplier<String> place) throws StorageException {
    RecordSession session = sessions.of(record);
    if (session.upsert(record) == WriteOutcome.PRESENT) {
      replaced++;
    }
    if (session.unforced() >= FORCED_TOGETHER) {
      force(session);
    }
  }

  private void force(RecordSession session) throws StorageException {
    int unforced = session.unforced();
    session.force();
    durable += unforced;
  }

  @Override
  public long finish() throws StorageException {
    for (RecordSession session : sessions.all()) {
      force(session);
    }
    return replaced;
  }

  @Override
  public void close() throws StorageException {
    sessions.close();
  }
}
