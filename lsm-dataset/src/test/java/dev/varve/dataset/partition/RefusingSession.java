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
  public static KeyValueSession open(PartitionHost host, Durability durability, Slice refused) {
    return new KeyValueSession(
        new SessionWriter(host, durability, host.keys(), new RefusingPins(host, refused)));
  }

  private static final class RefusingPins extends WriterPins {
    private final Slice refused;

    RefusingPins(PartitionHost host, Slice refused) {
      super(host.config().indexId(0));
      this.refused = refused;
    }

    @Override
    void putAlone(LogOperation operation, Slice key, Slice value, long lsn) {
      if (key.sameBytes(refused)) {
        throw new OutOfMemoryError("planned");
      }
      super.putAlone(operation, key, value, lsn);
    }
  }
}
