package dev.varve.dataset.partition;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.Slice;
import dev.varve.transaction.log.Durability;
import dev.varve.transaction.log.LogOperation;

/** Opens sessions whose memory component refuses a key, after its operation was committed. */
public final class RefusingSession {
  private RefusingSession() {}

  /** A session that fails, as with exhausted memory, when the key is put into the component. */
  @MustBeClosed
  public static WriteSession open(PartitionHost host, Durability durability, Slice refused) {
    return new WriteSession(host, durability, new Refusing(host.config().indexId(0), refused));
  }

  private static final class Refusing extends EnteredComponents {
    private final Slice refused;

    Refusing(int firstIndexId, Slice refused) {
      super(firstIndexId);
      this.refused = refused;
    }

    @Override
    void put(int position, LogOperation operation, Slice key, Slice value, long lsn) {
      if (key.sameBytes(refused)) {
        throw new OutOfMemoryError("planned");
      }
      super.put(position, operation, key, value, lsn);
    }
  }
}
