package dev.varve.dataset.internal.partition;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.index.ForwardingCursor;
import dev.varve.common.index.LsmCursor;
import dev.varve.common.index.MergeSieve;
import org.jspecify.annotations.Nullable;

/**
 * Has the merges of a primary index see to what has come to its end for every reader, those of open
 * snapshots included. In a key-value store antimatter takes its place, which hides what older
 * components have of the key, and goes where there are none. The records of a dataset may have
 * entries in other indexes: they go on, and are handed to who deletes them. Thread-safe.
 */
record ExpirySieve(Expiry expiry, Snapshots snapshots) implements MergeSieve {
  /** That of the primary index of a partition, in which something may end or not. */
  static MergeSieve of(@Nullable Expiry expiry, Snapshots snapshots) {
    return expiry == null ? MergeSieve.OPEN : new ExpirySieve(expiry, snapshots);
  }

  @Override
  public Sifted over(LsmCursor states, long checkedTo) {
    return new Sifted(new Living(states, snapshots.expiryMillis()), () -> checkedTo);
  }

  /** The entries of a merge, pairs that have ended as antimatter. Confined to one thread. */
  private final class Living implements ForwardingCursor {
    private final LsmCursor states;
    private final long atMillis;
    private final Entry gone = new Entry().antimatter(true);
    private boolean atGone;

    Living(LsmCursor states, long atMillis) {
      this.states = states;
      this.atMillis = atMillis;
    }

    @Override
    public LsmCursor states() {
      return states;
    }

    @Override
    public boolean next() throws StorageException {
      boolean there = states.next();
      atGone = there && !states.entry().antimatter() && expiry.isExpired(states.entry(), atMillis);
      if (atGone) {
        Slice key = states.entry().key();
        gone.key().set(key.bytes(), key.offset(), key.length());
        atGone = expiry.goesAt(key);
      }
      return there;
    }

    @Override
    public Entry entry() {
      return atGone ? gone : states.entry();
    }
  }
}
