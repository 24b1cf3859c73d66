package dev.varve.dataset;

import java.util.List;

/**
 * Who waits for what in an engine: writers for an index or the log, those for flushes and merges,
 * and these for the disk. docs/format/stalls.md says how a running engine shows it to others.
 *
 * @param source {@code running} for an engine that is open, {@code stopped} for what would wait if
 *     it were opened now
 * @param atMillis when that was so, in milliseconds since 1970
 * @param scheduler the merge scheduler; empty when the engine is stopped
 * @param gate the write gate; empty when the engine is stopped
 * @param ioBytesPerSecond the budget of flushes and merges on the device; 0 for none or not known
 * @param waits datasets with writers that wait
 * @param tasks flushes and merges that have not ended, in the order of their submission; of a
 *     stopped engine the merges that are due
 * @param indexes disk components of every open index against its limit
 * @param transactions open transactions over several records, the one that keeps most of the log
 *     first
 * @param snapshots those that are open, the oldest first, as text
 * @param values stores for whose large values something is done, has failed, or is kept by
 *     snapshots, as text
 * @param tuner the last decisions of the tuner, oldest first, as text with reasons
 * @param broken rules that do not hold, found by the watchdog; empty when all is well
 */
public record WaitReport(
    String source,
    long atMillis,
    String scheduler,
    String gate,
    long ioBytesPerSecond,
    List<Wait> waits,
    List<Task> tasks,
    List<Components> indexes,
    List<OpenTransaction> transactions,
    List<String> snapshots,
    List<String> values,
    List<String> tuner,
    List<String> broken) {
  /** What {@link #source} says of an open engine. */
  public static final String RUNNING = "running";

  /** What {@link #source} says of an engine that is not open. */
  public static final String STOPPED = "stopped";

  /** What {@link Task#state} says of a merge that begins when the engine is opened. */
  public static final String DUE = "DUE";

  /** Copies the lists. */
  public WaitReport {
    waits = List.copyOf(waits);
    tasks = List.copyOf(tasks);
    indexes = List.copyOf(indexes);
    // A file of an engine before it had them.
    transactions = transactions == null ? List.of() : List.copyOf(transactions);
    values = values == null ? List.of() : List.copyOf(values);
    snapshots = snapshots == null ? List.of() : List.copyOf(snapshots);
    tuner = tuner == null ? List.of() : List.copyOf(tuner);
    broken = List.copyOf(broken);
  }

  /** A running engine in which nothing waits and nothing is to be done. */
  public static WaitReport nothing(long atMillis) {
    return new WaitReport(
        RUNNING, atMillis, "", "", 0, List.of(), List.of(), List.of(), List.of(), List.of(),
        List.of(), List.of(), List.of());
  }

  /**
   * Writers of a dataset that wait.
   *
   * @param dataset its name
   * @param cause what they wait for, a name of {@code StallCause}
   * @param holder who or what is in the way, with its numbers, for people
   * @param index the index that it is about; empty when it is about all of the dataset
   * @param writers how many wait; 0 when the engine is stopped
   * @param seconds for how long at least one of them has been waiting
   * @param tasks numbers of the tasks that must end first
   * @param occupied indexes whose flush waits for a transaction that has not ended
   */
  public record Wait(
      String dataset,
      String cause,
      String holder,
      String index,
      int writers,
      double seconds,
      List<Long> tasks,
      List<String> occupied) {
    /** Copies the lists. */
    public Wait {
      tasks = List.copyOf(tasks);
      occupied = List.copyOf(occupied);
    }
  }

  /**
   * A flush or merge.
   *
   * @param number counts tasks in the order of their submission
   * @param kind {@code FLUSH} or {@code MERGE}
   * @param state {@code WAITING}, {@code RUNNING}, {@code PAUSED}, {@code NO_SPACE} or {@link #DUE}
   * @param index the index that it works on
   * @param description what becomes what
   * @param inputBytes bytes of input
   * @param remainingBytes bytes of input still to be read
   * @param bytesPerSecond bytes of input that it has read in a second, lately
   */
  public record Task(
      long number,
      String kind,
      String state,
      String index,
      String description,
      long inputBytes,
      long remainingBytes,
      long bytesPerSecond) {}

  /**
   * Disk components of an index.
   *
   * @param dataset its dataset
   * @param index the index
   * @param components how many count against the limit
   * @param limit at how many writers wait while a merge is under way; 0 for no limit
   */
  public record Components(String dataset, String index, int components, int limit) {}

  /**
   * A transaction over several records that has not ended: the log is kept from its first record
   * on.
   *
   * @param id its number
   * @param dataset what it writes to
   * @param seconds how long it has been open
   * @param logBytes how much of the log lies behind its first record
   */
  public record OpenTransaction(long id, String dataset, double seconds, long logBytes) {
    @Override
    public String toString() {
      return "transaction "
          + id
          + " in "
          + dataset
          + ", open for "
          + Math.round(seconds)
          + " s, keeps "
          + logBytes
          + " bytes of the log";
    }
  }
}
