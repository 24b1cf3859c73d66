package dev.varve.dataset.engine;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.partition.PartitionHost;
import dev.varve.dataset.partition.WriteOutcome;
import dev.varve.dataset.partition.WriteSession;
import dev.varve.dataset.record.RecordLimits;
import dev.varve.dataset.record.RecordReader;
import dev.varve.dataset.record.RecordSchema;
import dev.varve.dataset.record.Routing;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Sessions for writes of one record, kept from one call to the next so that a call allocates
 * little. Thread-safe; each writer is used by one call at a time.
 */
final class RecordWriters {
  /** Most idle writers that are kept. */
  private static final int MOST_IDLE = 16;

  private final RecordSchema schema;
  private final RecordLimits limits;
  private final List<PartitionHost> hosts;
  private final ConcurrentLinkedDeque<Writer> idle = new ConcurrentLinkedDeque<>();
  private final AtomicInteger idleCount = new AtomicInteger();

  RecordWriters(RecordSchema schema, RecordLimits limits, List<PartitionHost> hosts) {
    this.schema = schema;
    this.limits = limits;
    this.hosts = hosts;
  }

  /** What is done with a session. */
  @FunctionalInterface
  interface Operation {
    WriteOutcome apply(WriteSession session) throws StorageException;
  }

  /** Writes a record to the partition that it belongs to, durably. */
  WriteOutcome writeRecord(Slice record, Operation operation) throws StorageException {
    Writer writer = take();
    return writer.write(hosts.size() == 1 ? 0 : writer.partitionOf(record), operation);
  }

  /** Writes to the partition that a key belongs to, durably. */
  WriteOutcome writeKey(Slice key, Operation operation) throws StorageException {
    return take().write(Routing.partition(key, hosts.size()), operation);
  }

  /** Ends the sessions that are kept. */
  void closeIdle() throws StorageException {
    Writer writer = idle.pollFirst();
    while (writer != null) {
      idleCount.decrementAndGet();
      writer.close();
      writer = idle.pollFirst();
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

  private void giveBack(Writer writer) throws StorageException {
    if (idleCount.incrementAndGet() <= MOST_IDLE) {
      idle.addFirst(writer);
    } else {
      idleCount.decrementAndGet();
      writer.close();
    }
  }

  /** One session per partition, opened when needed. */
  private final class Writer {
    private final RecordReader reader = new RecordReader(schema, limits);
    private final @Nullable WriteSession[] sessions = new WriteSession[hosts.size()];

    int partitionOf(Slice record) throws StorageException {
      reader.read(record);
      return Routing.partition(reader.primaryKey(), sessions.length);
    }

    @SuppressWarnings("MustBeClosedChecker") // closed by close, or idle until the engine closes
    WriteOutcome write(int partition, Operation operation) throws StorageException {
      WriteSession session = sessions[partition];
      if (session == null) {
        session = hosts.get(partition).partition().openSession();
        sessions[partition] = session;
      }
      WriteOutcome outcome;
      try {
        outcome = operation.apply(session);
      } catch (StorageException | RuntimeException | Error e) {
        try {
          session.force();
          giveBack(this);
        } catch (StorageException | RuntimeException second) {
          e.addSuppressed(second);
        }
        throw e;
      }
      session.force();
      giveBack(this);
      return outcome;
    }

    void close() throws StorageException {
      for (WriteSession session : sessions) {
        if (session != null) {
          session.close();
        }
      }
    }
  }
}
