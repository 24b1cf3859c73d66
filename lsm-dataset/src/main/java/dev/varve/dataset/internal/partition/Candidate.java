package dev.varve.dataset.internal.partition;

import dev.varve.common.bytes.Slice;

/** An entry of a secondary index whose record may be searched for. Confined to one thread. */
final class Candidate implements KeyStamps.Keyed {
  /** The stamp of an entry that is in memory, or in an index without stamps. */
  static final long NO_STAMP = -1;

  final byte[] primaryKey;
  private final long stamp;

  /** Whether the record certainly had the entry. */
  boolean certain;

  /** Whether the search has found the record. */
  boolean found;

  private boolean obsolete;

  Candidate(byte[] primaryKey, long stamp, boolean certain) {
    assert stamp >= NO_STAMP;
    this.primaryKey = primaryKey;
    this.stamp = stamp;
    this.certain = certain;
  }

  /** Decides by the stamp of the key, if it has one. */
  void judge(long keyStamp) {
    assert keyStamp >= KeyStamps.UNSETTLED;
    if (stamp != NO_STAMP && keyStamp != KeyStamps.UNSETTLED) {
      certain = keyStamp <= stamp;
      obsolete = !certain;
    }
  }

  /** Whether it was judged to be no entry of its record any more. */
  boolean obsolete() {
    return obsolete;
  }

  @Override
  public Slice viewPrimaryKey(Slice view) {
    return view.set(primaryKey, 0, primaryKey.length);
  }
}
