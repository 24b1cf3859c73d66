package dev.varve.hyracks.adapter;

/** The shapes of index that Hyracks' operators know. The names stand in {@code resources.json}. */
enum IndexShape {
  /** Ordered by its key fields; the other fields follow the key. */
  BTREE(0),
  /** Its first fields are the low, then the high corner of a box; a tuple is told by all fields. */
  RTREE(0),
  /** Pairs of a token and the key of what holds it. */
  INVERTED(1),
  /** The same with the number of tokens of what holds it behind the token. */
  PARTITIONED_INVERTED(2);

  private final int tokenFields;

  IndexShape(int tokenFields) {
    this.tokenFields = tokenFields;
  }

  /** Fields before those that a text search gives; 0 of a shape that knows no tokens. */
  int tokenFields() {
    return tokenFields;
  }
}
