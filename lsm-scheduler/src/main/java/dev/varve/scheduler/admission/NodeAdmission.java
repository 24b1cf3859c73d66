package dev.varve.scheduler.admission;

import dev.varve.common.env.Clock;
import dev.varve.common.env.Signal;
import dev.varve.common.error.StorageException;
import java.util.function.LongSupplier;

/**
 * What the writers of all datasets of a node have in common where they are let in: the gate, which
 * may be set anew while writers wait, the memory that datasets may share, the record of waits, and
 * what wakes those who wait. Thread-safe.
 */
public final class NodeAdmission {
  private final Node node;
  private final Limits limits;
  private final MemoryPool pool;
  private final StallRecorder stalls;
  private volatile WriteGate gate;
  private volatile boolean closed;

  /**
   * What a node offers.
   *
   * @param clock time
   * @param progress raised whenever a flush or merge ends, or fails, or the gate is set anew
   * @param logEnd where the log ends now
   * @param health whether the node takes writes
   */
  public record Node(Clock clock, Signal progress, LongSupplier logEnd, Health health) {}

  /** Whether a node takes writes at all. Thread-safe. */
  @FunctionalInterface
  public interface Health {
    /**
     * Returns when it does.
     *
     * @throws StorageException the reason when its log or its maintenance has failed
     * @throws IllegalStateException when it is closed
     */
    void requireWritable() throws StorageException;
  }

  /**
   * How far writers may go; the engine's options.
   *
   * @param sealAtFraction the part of a dataset's memory that is written before it is sealed
   * @param logRetentionBytes how long the log may become since a dataset was sealed last
   * @param stallTimeoutNanos the longest wait of a writer
   */
  public record Limits(double sealAtFraction, long logRetentionBytes, long stallTimeoutNanos) {}

  /** A node in which nothing waits. */
  public NodeAdmission(Node node, Limits limits, MemoryPool pool, WriteGate gate) {
    this.node = node;
    this.limits = limits;
    this.pool = pool;
    this.stalls = new StallRecorder(node.clock());
    this.gate = gate;
  }

  Node node() {
    return node;
  }

  Limits limits() {
    return limits;
  }

  /** The memory that all datasets share, if they do. */
  public MemoryPool pool() {
    return pool;
  }

  /** Where waits are recorded. */
  public StallRecorder stalls() {
    return stalls;
  }

  /** The gate as it is set now. */
  public WriteGate gate() {
    return gate;
  }

  /** Sets the gate anew; writers that wait ask it at once. */
  public void setGate(WriteGate other) {
    gate = other;
    node.progress().raise();
  }

  /** A flush or merge has published, ended or failed: writers that wait look again. */
  public void progressed() {
    pool.changed();
    node.progress().raise();
  }

  /** The node closes: writers that wait are woken, and find that it takes no writes. */
  public void close() {
    closed = true;
    node.progress().raise();
  }

  boolean closed() {
    return closed;
  }
}
