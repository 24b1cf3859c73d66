package dev.varve.hyracks.operator;

/** What a feed does with a record. */
public enum WriteMode {
  /** Inserts it; a record whose primary key is there is refused. */
  INSERT,
  /** Inserts it or replaces the record with its primary key. */
  UPSERT,
  /** Deletes the record with its primary key; a key that isn't there is no error. */
  DELETE,
  /** Loads everything into an empty dataset, past the log: all records or none. */
  LOAD
}
