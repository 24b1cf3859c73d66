package dev.varve.examples.hash;

import dev.varve.btree.BTreeFormat;
import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.KeyHash;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.index.ComponentFormat;
import dev.varve.common.index.DeletedKeys;
import dev.varve.common.index.DiskIndex;
import dev.varve.common.index.DiskIndexBuilder;
import dev.varve.common.index.MemoryIndex;
import dev.varve.common.page.PageFile;
import dev.varve.common.page.PageFileWriter;

/** A hash index as an LSM index: which records have a value, or one with its hash? Immutable. */
public record HashFormat() implements ComponentFormat<KeyRange> {
  private static final BTreeFormat BTREE = new BTreeFormat();
  private static final DeletedKeys DELETED_KEYS =
      new DeletedKeys(BTREE, HashFormat::viewPrimaryKey);

  /** The key of a record's entry: the hash of its value, eight bytes, and its primary key. */
  public static byte[] key(Slice value, Slice primaryKey) {
    byte[] key = new byte[Long.BYTES + primaryKey.length()];
    Bytes.putLongBigEndian(key, 0, KeyHash.hash(value));
    System.arraycopy(primaryKey.bytes(), primaryKey.offset(), key, Long.BYTES, primaryKey.length());
    return key;
  }

  /** What to search for: the entries of a value, and those of others that have its hash. */
  public static KeyRange entriesOf(Slice value) {
    return KeyRange.prefix(key(value, new Slice()));
  }

  /** Points a slice at the primary key inside the key of an entry. */
  public static Slice viewPrimaryKey(Slice key, Slice primaryKey) {
    return primaryKey.set(key.bytes(), key.offset() + Long.BYTES, key.length() - Long.BYTES);
  }

  @Override
  public String name() {
    return "hash";
  }

  @Override
  public MemoryIndex<KeyRange> createMemoryIndex() {
    return BTREE.createMemoryIndex();
  }

  @Override
  public DiskIndexBuilder createBuilder(PageFileWriter file) {
    return new HashBuilder(file);
  }

  @Override
  public DiskIndex<KeyRange> open(PageFile file, int rootPage) throws StorageException {
    return HashOnDisk.open(file, rootPage);
  }

  @Override
  public boolean descending(KeyRange range) {
    return false;
  }

  @Override
  public DeletedKeys deletedKeys() {
    return DELETED_KEYS;
  }
}
