package dev.varve.common.format;

import dev.varve.common.component.DeletedRanges;
import dev.varve.common.error.StorageException;
import dev.varve.common.page.PageFile;
import dev.varve.common.page.PageFileWriter;
import org.jspecify.annotations.Nullable;

/**
 * What an index kind must offer to become an LSM index: an index in memory that inserts, and one on
 * pages that is bulk-loaded and searched (Storage Management in AsterixDB, section 3.4). Everything
 * else, from flush to recovery, is {@code LsmIndex}'s.
 *
 * @param <Q> the kind's search predicate
 */
public interface ComponentFormat<Q> {
  /** Name of the kind as it stands in files and reports: {@code btree}. */
  String name();

  /** An empty memory component. */
  MemoryIndex<Q> createMemoryIndex();

  /**
   * Gathers what is loaded in groups, if the kind has a way to; null when its components hold the
   * entries one by one.
   */
  default @Nullable EntryGroups newEntryGroups() {
    return null;
  }

  /** Starts bulk-loading into a file. */
  DiskIndexBuilder createBuilder(PageFileWriter file) throws StorageException;

  /**
   * Opens what a builder wrote.
   *
   * @param rootPage what {@link DiskIndexBuilder#finish} returned
   */
  DiskIndex<Q> open(PageFile file, int rootPage) throws StorageException;

  /** Whether a search with this predicate returns entries in descending key order. */
  default boolean descending(Q predicate) {
    return false;
  }

  /**
   * How deletions are kept beside the entries; null when they are kept among them, as antimatter.
   * The same for the life of the format, and part of what its name stands for in files.
   */
  default @Nullable DeletedKeys deletedKeys() {
    return null;
  }

  /**
   * How values are changed by operands that were written without a look at them; null where nobody
   * writes such. The same for the life of an index, whose components it shapes.
   */
  default @Nullable MergeOperator mergeOperator() {
    return null;
  }

  /**
   * Finds the primary key of a record in the keys of its entries, for one thread: by it {@linkplain
   * DeletedRanges deleted ranges} hide entries. Unless the kind says otherwise, it is all of the
   * key.
   */
  default DeletedKeys.PrimaryKeyView newPrimaryKeyView() {
    return (key, primaryKey) -> primaryKey.set(key.bytes(), key.offset(), key.length());
  }

  /** How components may be cut by key range; null when they may not. */
  default @Nullable KeyRanges<Q> keyRanges() {
    return null;
  }
}
