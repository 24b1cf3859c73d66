package dev.varve.common.maintenance;

import dev.varve.common.error.StorageException;
import java.nio.file.Path;

/**
 * A flush or a merge as work in steps, so that a scheduler can pause it between page batches and
 * charge its bytes. The step that ends it publishes the result.
 *
 * <p>One thread at a time uses a task: who submits it until it is handed in, then whoever steps or
 * cancels it, one after the other and each seeing what the one before did.
 */
public interface MaintenanceTask {
  /** What a task is, in the order in which a device serves them. */
  enum Kind {
    /** A memory component becomes a disk component. */
    FLUSH,
    /** Disk components become one. */
    MERGE
  }

  /** Which merges keep an index from taking its next flush. */
  enum Depth {
    /** Those whose newest input is a flush: until they end, components of flushes become more. */
    LEVEL_ZERO,
    /** All others. */
    DEEPER
  }

  /** Flush or merge. */
  Kind kind();

  /** How deep a merge is; of a flush it says nothing. */
  default Depth depth() {
    return Depth.DEEPER;
  }

  /** Index and components, for reports. */
  String describe();

  /**
   * Which index it works on, as {@code LsmIndex.describe} says it: merges of one index are what a
   * scheduler of scope {@code INDEX} sees together.
   */
  default String index() {
    return "";
  }

  /** Directory that its result goes into, which tells the device; empty where none is known. */
  default Path directory() {
    return Path.of("");
  }

  /** What the merges of its index count beside those of others, at least 1. */
  default int weight() {
    return 1;
  }

  /** Bytes of input that are still to be read; what greedy scheduling orders merges by. */
  long remainingInputBytes();

  /** Bytes that are still to be written at most, for which space on disk is set aside. */
  default long outputBytes() {
    return remainingInputBytes();
  }

  /**
   * Goes on until about {@code maxBytes} were written, or the task is done.
   *
   * @return bytes written in this step
   * @throws StorageException when the task cannot go on: what it wrote is removed, its inputs stay,
   *     and it is not stepped again
   */
  long step(long maxBytes) throws StorageException;

  /** Whether the result is published and no step is left. */
  boolean done();

  /**
   * Gives the task up: what it wrote is removed, its inputs stay. Does nothing when the task has
   * ended.
   */
  void cancel();

  /** The same for a reason that whoever waits for the result is told. */
  default void refuse(StorageException cause) {
    cancel();
  }
}
