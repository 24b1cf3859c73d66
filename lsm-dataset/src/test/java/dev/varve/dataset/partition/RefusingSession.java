package dev.varve.dataset.partition;

import dev.varve.common.bytes.Slice;
import dev.varve.transaction.log.Durability;

/** Opens sessions whose memory component refuses a key, after its operation was committed. */
public final class RefusingSession {
  private RefusingSession() {}

  /** A session that fails, as with exhausted memory, when the key is put into the component. */
  public static SessionWriter open(PartitionHost host, Durability durability, Slice refused) {
    WriterPins refusing = new WriterPins(host.config().indexId(0), key -> refuse(key, refused));
    return new SessionWriter(host, durability, host.keys(), refusing);
  }

  private static void refuse(Slice key, Slice refused) {
    if (key.sameBytes(refused)) {
      throw new OutOfMemoryError("planned");
    }
  }
}
