package dev.varve.benchmarks.adoc;

import dev.varve.benchmarks.measure.Labelled;

/** What clients do in ADOC's evaluation (section 6, Table 4). */
public enum AdocWorkload implements Labelled {
  /** {@code db_bench}'s random writes into an empty store. */
  FILLRANDOM("fillrandom", "random writes into an empty store", 0, Change.UPDATE, Keys.UNIFORM),
  /** The same beside a thread that reads as fast as it can. */
  READWHILEWRITING(
      "readwhilewriting",
      "random writes into an empty store, beside a reader",
      0,
      Change.UPDATE,
      Keys.UNIFORM),
  /** YCSB's load: every record once, in random order. */
  LOAD("load", "YCSB load", 0, Change.LOAD, Keys.UNIFORM),
  /** Half updates. */
  A("a", "YCSB A: half reads, half updates", 0.5, Change.UPDATE, Keys.ZIPFIAN),
  /** Few updates. */
  B("b", "YCSB B: 95 % reads, 5 % updates", 0.95, Change.UPDATE, Keys.ZIPFIAN),
  /** None. */
  C("c", "YCSB C: reads", 1, Change.UPDATE, Keys.ZIPFIAN),
  /** Reads of what was inserted last. */
  D("d", "YCSB D: 95 % reads of the latest, 5 % inserts", 0.95, Change.INSERT, Keys.LATEST),
  /** Short scans, of uniform keys as the paper's Table 4 has them. */
  E("e", "YCSB E: 95 % scans, 5 % inserts", 0.95, Change.INSERT, Keys.UNIFORM),
  /** Half changes of what was read. */
  F("f", "YCSB F: half reads, half read-modify-writes", 0.5, Change.MODIFY, Keys.ZIPFIAN);

  private final String label;
  private final String title;
  private final double reads;
  private final Change change;
  private final Keys keys;

  /** What an operation does that does not only read. */
  enum Change {
    /** Puts a record, whether or not it is there. */
    UPDATE,
    /** Puts the next record of all. */
    LOAD,
    /** Puts a record after the last. */
    INSERT,
    /** Reads a record and puts it again. */
    MODIFY
  }

  /** Which keys are chosen. */
  enum Keys {
    /** All alike. */
    UNIFORM,
    /** A few again and again. */
    ZIPFIAN,
    /** Mostly those that were inserted last. */
    LATEST
  }

  AdocWorkload(String label, String title, double reads, Change change, Keys keys) {
    this.label = label;
    this.title = title;
    this.reads = reads;
    this.change = change;
    this.keys = keys;
  }

  @Override
  public String label() {
    return label;
  }

  String title() {
    return title;
  }

  /** The part of the operations that read only. */
  double reads() {
    return reads;
  }

  Change change() {
    return change;
  }

  Keys keys() {
    return keys;
  }

  /** Whether reads are scans. */
  boolean scans() {
    return this == E;
  }

  /** Whether a thread reads beside the one that writes. */
  boolean hasReader() {
    return this == READWHILEWRITING;
  }

  /** Whether the store holds all records before it begins. */
  boolean startsLoaded() {
    return this != FILLRANDOM && this != READWHILEWRITING && this != LOAD;
  }
}
