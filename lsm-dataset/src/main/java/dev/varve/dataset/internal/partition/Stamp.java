package dev.varve.dataset.internal.partition;

import dev.varve.common.bytes.Slice;
import dev.varve.common.bytes.Varint;
import dev.varve.common.format.Entry;

/**
 * When a record changed, as it stands in entries that are put for the change: one more than the LSN
 * of the change in the primary index, as a varint, which is the value of the entry. A dataset with
 * an index of primary keys stamps the entries of that and of its B+-trees and R-trees. Entries
 * without a value were bulk-loaded: their stamp is 0, the least.
 *
 * <p>A change that reads no old record puts all entries of the new one, and that of the primary
 * key. One that reads it takes old entries out, and leaves entries alone that stay the same, that
 * of the primary key among them. So the entry of a key has the stamp T of the newest change that
 * may have left something obsolete, and an entry with the stamp e is right just if the key is there
 * and T is at most e. An abort gives the key the stamp that it had, and entries that it brings back
 * that of its end. Changes of a key are logged in the order in which they hold its lock. (Luo and
 * Carey, Efficient Data Ingestion and Query Processing for LSM-Based Storage Systems, VLDB 2019,
 * section 4, with a time for each entry.)
 *
 * <p>Confined to one thread.
 */
final class Stamp {
  private final byte[] bytes = new byte[Varint.MAX_LONG_BYTES];
  private final Slice value = new Slice();

  /** The value of entries that are put for a change with an LSN; holds until the next call. */
  Slice at(long lsn) {
    assert lsn >= 0 : "a change that was not logged";
    return value.set(bytes, 0, Varint.putLong(bytes, 0, lsn + 1));
  }

  /** What {@link #at} returned last. */
  Slice value() {
    return value;
  }

  /** The stamp of an entry. */
  static long of(Entry entry) {
    Slice value = entry.value();
    assert value.length() <= Varint.MAX_LONG_BYTES : "no stamp: " + value;
    return value.length() == 0 ? 0 : Varint.getLong(value.bytes(), value.offset());
  }
}
