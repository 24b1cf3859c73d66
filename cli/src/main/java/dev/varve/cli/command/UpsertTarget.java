package dev.varve.cli.command;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.engine.Dataset;
import dev.varve.dataset.engine.RecordSession;
import dev.varve.dataset.partition.WriteOutcome;
import java.util.ArrayList;
import java.util.List;

/**
 * Upserts into a dataset that may have records, forced together some at a time. A kill leaves those
 * up to some record; the same import again makes it whole. Confined to one thread.
 */
final class UpsertTarget implements ImportTarget {
  /** How many upserts share a force, on each node. */
  private static final int FORCED_TOGETHER = 1_000;

  private final NodeRouter router;
  private final List<RecordSession> sessions = new ArrayList<>();
  private long replaced;

  private UpsertTarget(NodeRouter router) {
    this.router = router;
  }

  /**
   * Opens sessions.
   *
   * @param nodes the dataset on each node, in the order of nodes
   */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // closed with the target
  static UpsertTarget open(List<Dataset> nodes) throws StorageException {
    UpsertTarget target = new UpsertTarget(new NodeRouter(nodes));
    try {
      for (Dataset node : nodes) {
        target.sessions.add(node.openSession());
      }
      return target;
    } catch (StorageException | RuntimeException failure) {
      try {
        target.close();
      } catch (StorageException second) {
        failure.addSuppressed(second);
      }
      throw failure;
    }
  }

  @Override
  public String method() {
    return "upserts";
  }

  @Override
  public void add(Slice record) throws StorageException {
    RecordSession session = sessions.get(router.nodeOf(record));
    if (session.upsert(record) == WriteOutcome.PRESENT) {
      replaced++;
    }
    if (session.unforced() >= FORCED_TOGETHER) {
      session.force();
    }
  }

  @Override
  public long finish() throws StorageException {
    for (RecordSession session : sessions) {
      session.force();
    }
    return replaced;
  }

  /** Closes all of them, whichever fails. */
  @Override
  public void close() throws StorageException {
    if (sessions.isEmpty()) {
      return;
    }
    try {
      sessions.remove(sessions.size() - 1).close();
    } finally {
      close();
    }
  }
}
