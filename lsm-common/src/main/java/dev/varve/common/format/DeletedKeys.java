package dev.varve.common.format;

import dev.varve.common.bytes.Slice;

/**
 * How a kind reconciles by deleted keys: deletions are not kept among its entries but as primary
 * keys in a B+-tree beside them, one in each component, and an entry is valid if and only if no
 * newer component's deleted keys hold its primary key (Storage Management in AsterixDB, sections
 * 3.2 and 3.4.1). For kinds in which the newest state of an entry is dear to find, or whose
 * deletions would need more than the primary key.
 *
 * <p>What it asks of the kind: an index has at most one valid entry, or group of entries, of a
 * primary key; who gives a record another place in the index deletes the entry at the old one
 * first, and nobody deletes an entry that the record does not have while it has another one: a
 * deletion takes away all that older components have of the primary key. The kind's memory index
 * takes antimatter and returns it from searches, since its transaction may not be committed; the
 * kind's disk indexes never see any. Immutable and thread-safe.
 *
 * @param tree the kind of the deleted-key trees, a B+-tree: searched for single keys only, each
 *     entry a primary key without a value
 * @param primaryKey finds the primary key inside the key of an entry
 */
public record DeletedKeys(ComponentFormat<?> tree, PrimaryKeyView primaryKey) {
  /** Where the primary key is inside the key of an entry; holds for every key of the kind. */
  @FunctionalInterface
  public interface PrimaryKeyView {
    /** Points a slice at the primary key inside the key of an entry, and returns that slice. */
    Slice viewPrimaryKey(Slice entryKey, Slice primaryKey);
  }

  /** Points a slice at the primary key inside the key of an entry, and returns that slice. */
  public Slice viewPrimaryKey(Slice entryKey, Slice target) {
    return primaryKey.viewPrimaryKey(entryKey, target);
  }
}
