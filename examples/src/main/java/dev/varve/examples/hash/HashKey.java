package dev.varve.examples.hash;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.KeyHash;
import dev.varve.common.bytes.Slice;
import dev.varve.common.index.Entry;
import java.util.Collection;
import java.util.List;

/** The key of an entry: the hash of a record's value, eight bytes, and the record's primary key. */
public final class HashKey {
  private HashKey() {}

  /** The key of a record's entry. */
  public static byte[] of(Slice value, Slice primaryKey) {
    byte[] key = new byte[Long.BYTES + primaryKey.length()];
    Bytes.putLongBigEndian(key, 0, KeyHash.hash(value));
    System.arraycopy(primaryKey.bytes(), primaryKey.offset(), key, Long.BYTES, primaryKey.length());
    return key;
  }

  /** Points a slice at the primary key inside the key of an entry. */
  public static Slice viewPrimaryKey(Slice key, Slice primaryKey) {
    return primaryKey.set(key.bytes(), key.offset() + Long.BYTES, key.length() - Long.BYTES);
  }

  /** Of entries in key order those that have a hash. */
  static List<Entry> withHash(long hash, Collection<Entry> entries) {
    return entries.stream()
        .dropWhile(entry -> Long.compareUnsigned(entry.key().head(), hash) < 0)
        .takeWhile(entry -> entry.key().head() == hash)
        .toList();
  }
}
