package dev.varve.examples.hash;

import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.KeyHash;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.DeletedKeys;
import dev.varve.common.format.DiskIndex;
import dev.varve.common.format.DiskIndexBuilder;
import dev.varve.common.page.PageFile;
import dev.varve.common.page.PageFileWriter;
import dev.varve.dataset.kind.EntryMaker;
import dev.varve.dataset.kind.IndexKind;
import dev.varve.dataset.kind.IndexedValue;
import dev.varve.dataset.model.IndexSearch;
import org.jspecify.annotations.Nullable;

/** A hash index: which records have a value? Immutable. */
public record HashKind() implements IndexKind<KeyRange> {
  @Override
  public String name() {
    return "hash";
  }

  @Override
  public EntryMaker newEntryMaker() {
    return new Entries();
  }

  private record Entries() implements EntryMaker {
    @Override
    public Slice key(IndexedValue value) {
      return HashKind.key(value.encoded(), value.primaryKey());
    }

    @Override
    public Slice value(IndexedValue value) {
      return value.encoded();
    }
  }

  /** The key of a record's entry: the hash of its value, eight bytes, and its primary key. */
  public static Slice key(Slice value, Slice primaryKey) {
    byte[] key = new byte[Long.BYTES + primaryKey.length()];
    Bytes.putLongBigEndian(key, 0, KeyHash.hash(value));
    System.arraycopy(primaryKey.bytes(), primaryKey.offset(), key, Long.BYTES, primaryKey.length());
    return new Slice(key);
  }

  @Override
  public DeletedKeys.PrimaryKeyView newPrimaryKeyView() {
    return (key, primaryKey) ->
        primaryKey.set(key.bytes(), key.offset() + Long.BYTES, key.length() - Long.BYTES);
  }

  /** The entries of a value, and those of others that have its hash. */
  public static KeyRange entriesOf(Slice value) {
    return KeyRange.prefix(key(value, new Slice()).toByteArray());
  }

  @Override
  public @Nullable Question<KeyRange> question(IndexSearch search) {
    if (!(search instanceof HashSearch hash)) {
      return null;
    }
    Slice wanted = hash.value().toSlice();
    return new Question<>(entriesOf(wanted), (key, value) -> value.sameBytes(wanted));
  }

  @Override
  public KeyRange range(KeyRange query) {
    return query;
  }

  @Override
  public DiskIndexBuilder createBuilder(PageFileWriter file) {
    return new HashBuilder(file);
  }

  @Override
  public DiskIndex<KeyRange> open(PageFile file, int rootPage) throws StorageException {
    return HashOnDisk.open(file, rootPage);
  }
}
