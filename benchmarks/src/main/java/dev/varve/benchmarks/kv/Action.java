package dev.varve.benchmarks.kv;

import dev.varve.benchmarks.measure.Work;

/** What a phase does with a store. */
public enum Action {
  /** Puts new records, in batches; nobody measures it. */
  FILL(Extent.RECORDS),
  /** Puts new records, one by one. */
  LOAD(Extent.RECORDS),
  /** Inserts new records one by one; the store checks that each is new. */
  LOAD_CHECKED(Extent.RECORDS),
  /** Puts records of the log of a store that is killed, and opens it again. */
  RECOVER(Extent.RECORDS),
  /** Replaces records at random. */
  UPDATE(Extent.FIFTH),
  /** Replaces records at random, until that is three times as many as there are. */
  OVERWRITE(Extent.TRIPLE),
  /** Deletes the first records. */
  DELETE(Extent.FIFTH),
  /** Reads records at random. */
  READ(Extent.WINDOW),
  /** The same by a store that was just opened, whose files are in no cache. */
  READ_COLD(Extent.OPENING),
  /** Looks for keys that are absent. */
  READ_ABSENT(Extent.WINDOW),
  /** Visits 100 records from a random one, upwards. */
  SCAN_FORWARD(Extent.WINDOW),
  /** The same, downwards. */
  SCAN_BACKWARD(Extent.WINDOW),
  /** Reads and replaces records at random, as often one as the other. */
  MIXED(Extent.WINDOW),
  /** Puts records at random; each put is durable when it returns. */
  COMMIT(Extent.WINDOW),
  /** Visits all records. */
  SCAN_ALL(Extent.PASS);

  /** When a phase ends. */
  public enum Extent {
    /** After all records, or at the cap of its time. */
    RECORDS,
    /** After as many operations as a fifth of the records, or at the cap of its time. */
    FIFTH,
    /** After three times as many operations as there are records, or at the cap of its time. */
    TRIPLE,
    /** After a few seconds, once. */
    OPENING,
    /** After a few seconds, several times. */
    WINDOW,
    /** After the pass over the records that is under way after a few seconds, several times. */
    PASS
  }

  private final Extent extent;

  Action(Extent extent) {
    this.extent = extent;
  }

  /** The action that some work names. */
  static Action of(Work work) {
    return valueOf(work.task());
  }

  /** When a phase of this action ends. */
  public Extent extent() {
    return extent;
  }

  /** Whether it is done in several short rounds. */
  boolean inRounds() {
    return extent == Extent.WINDOW || extent == Extent.PASS;
  }

  /** Whether the store has background work to do afterwards, which belongs to the cost. */
  boolean settles() {
    return !inRounds() && this != RECOVER && this != READ_COLD;
  }

  /** Whether it reads what the store holds, and shall find it in the caches. */
  boolean reads() {
    return switch (this) {
      case READ, READ_ABSENT, SCAN_FORWARD, SCAN_BACKWARD, SCAN_ALL, MIXED -> true;
      default -> false;
    };
  }

  /** Whether it begins with an empty store. */
  boolean startsEmpty() {
    return extent == Extent.RECORDS || this == COMMIT;
  }
}
