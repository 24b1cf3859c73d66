package dev.varve.dataset.kind;

import dev.varve.btree.BTreeFormat;
import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.format.DeletedKeys;
import dev.varve.dataset.model.IndexSearch;
import org.jspecify.annotations.Nullable;

/**
 * {@code primary-key}, a B+-tree over the primary keys alone (Luo and Carey, Efficient Data
 * Ingestion and Query Processing for LSM-Based Storage Systems, VLDB 2019, section 3): small enough
 * to stay in memory where the records do not, it tells whether a key is there, how many there are,
 * and, by the {@linkplain IndexKind#keepsStamps stamps} of its entries, whether an entry of another
 * index is still right. Immutable and thread-safe.
 */
public final class PrimaryKeyKind extends BTreeFormat implements IndexKind<KeyRange> {
  /** The kind. */
  public PrimaryKeyKind() {}

  @Override
  public String name() {
    return "primary-key";
  }

  @Override
  public boolean takesSeveralFields() {
    return true;
  }

  @Override
  public EntryMaker newEntryMaker() {
    return IndexedValue::primaryKey;
  }

  @Override
  public DeletedKeys.PrimaryKeyView newPrimaryKeyView() {
    return (key, primaryKey) -> primaryKey.set(key.bytes(), key.offset(), key.length());
  }

  @Override
  public @Nullable Slice recordKey(Slice primaryKey, Slice target) {
    return target.set(primaryKey.bytes(), primaryKey.offset(), primaryKey.length());
  }

  @Override
  public @Nullable Question<KeyRange> question(IndexSearch search) {
    return BTreeKind.questionOf(search);
  }

  @Override
  public boolean isExact(IndexSearch search) {
    return true;
  }

  @Override
  public boolean keepsStamps() {
    return true;
  }

  @Override
  public @Nullable DeletedKeys deletedKeys() {
    return null;
  }
}
