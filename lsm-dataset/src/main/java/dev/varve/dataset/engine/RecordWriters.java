package dev.varve.dataset.engine;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.partition.PartitionHost;
import dev.varve.dataset.partition.RecordSession;
import dev.varve.dataset.partition.WriteOutcome;
import dev.varve.dataset.record.RecordLimits;
import dev.varve.dataset.record.RecordReader;
import dev.varve.dataset.record.RecordSchema;
import dev.varve.dataset.record.Routing;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Sessions for writes of one record, kept from one call to the next so that a call allocates
 * little. Thread-safe; each writer is used by one call at a time.
 */
final class RecordWriters {
  private static final Logger LOGGER = LogManager.getLogger(RecordWriters.class);

  /** Most idle writers that are kept. */
  private static final int MOST_IDLE = 16;

  private final RecordSchema schema;
  private final RecordLimits limits;
  private final List<PartitionHost> hosts;
  private final ConcurrentLinkedDeque<Writer> idle = new ConcurrentLinkedDeque<>();
  private final AtomicInteger idleCount = new AtomicInteger();
  private volatile boolean closed;

  RecordWriters(RecordSchema schema, RecordLimits limits, List<PartitionHost> hosts) {
    this.schema = schema;
    this.limits = limits;
    this.hosts = hosts;
  }

  /** What is done with a session. */
  @FunctionalInterface
  interface Operation {
    WriteOutcome apply(RecordSession session) throws StorageException;
  }

  /** Writes a record to the partition that it belongs to, durably. */
  WriteOutcome writeRecord(Slice record, Operation operation) throws StorageException {
    Writer writer = take();
    try {
      return writer.write(hosts.size() == 1 ? 0 : writer.partitionOf(record), operation);
    } finally {
      giveBack(writer);
    }
  }

  /** Writes to the partition that a key belongs to, durably. */
  WriteOutcome writeKey(Slice key, Operation operation) throws StorageException {
    int partition = Routing.partition(key, hosts.size());
    Writer writer = take();
    try {
      return writer.write(partition, operation);
    } finally {
      giveBack(writer);
    }
  }

  /** Ends the sessions that are kept, and keeps none from now on. */
  void close() {
    closed = true;
    closeIdle();
  }

  private void closeIdle() {
    Writer writer = idle.pollFirst();
    while (writer != null) {
      idleCount.decrementAndGet();
      close(writer);
      writer = idle.pollFirst();
    }
  }

  private static void close(Writer writer) {
    try {
      writer.close();
    } catch (StorageException | RuntimeException e) {
      // Who wrote with it has been told what came of that.
      LOGGER.debug("a session ended with a failure that its writer knows", e);
    }
  }

  private Writer take() {
    Writer writer = idle.pollFirst();
    if (writer == null) {
      return new Writer();
    }
    idleCount.decrementAndGet();
    return writer;
  }

  /**
   * Keeps a writer for the next call, or closes it: one that must not be used again, or too many.
   */
  private void giveBack(Writer writer) {
    if (!writer.reusable || idleCount.get() >= MOST_IDLE) {
      close(writer);
      return;
    }
    idleCount.incrementAndGet();
    idle.addFirst(writer);
    if (closed) {
      closeIdle();
    }
  }

  /** One session per partition, opened when needed. */
  private final class Writer {
    private final RecordReader reader = new RecordReader(schema, limits);
    private final @Nullable RecordSession[] sessions = new RecordSession[hosts.size()];

    /** Whether each of its sessions has let go of all that it locked. */
    private boolean reusable = true;

    int partitionOf(Slice record) throws StorageException {
      reader.read(record);
      return Routing.partition(reader.primaryKey(), sessions.length);
    }

    @SuppressWarnings("MustBeClosedChecker") // closed by close, or idle until the engine closes
    WriteOutcome write(int partition, Operation operation) throws StorageException {
      RecordSession session = sessions[partition];
      if (session == null) {
        session = hosts.get(partition).partition().openRecordSession();
        sessions[partition] = session;
      }
      reusable = false;
      WriteOutcome outcome;
      try {
        outcome = operation.apply(session);
      } catch (StorageException | RuntimeException | Error e) {
        try {
          session.force();
          reusable = true;
        } catch (StorageException | RuntimeException second) {
          e.addSuppressed(second);
        }
        throw e;
      }
      session.force();
      reusable = true;
      return outcome;
    }

    void close() throws StorageException {
      Deque<RecordSession> open = new ArrayDeque<>();
      for (RecordSession session : sessions) {
        if (session != null) {
          open.add(session);
        }
      }
      closeAll(open);
    }

    private void closeAll(Deque<RecordSession> open) throws StorageException {
      RecordSession session = open.poll();
      if (session != null) {
        try {
          session.close();
        } finally {
          closeAll(open);
        }
      }
    }
  }
}
