package dev.varve.common.format;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Bulk-loads one disk component of a kind from entries in ascending key order. Confined. */
public interface DiskIndexBuilder {
  /** Appends an entry; its key is above the one before. The bytes are copied. */
  void add(Entry entry) throws StorageException;

  /**
   * Appends what a group stands for, which {@link EntryGroups} of the kind made; groups ascend as
   * bytes, and nothing is added in another way before or after.
   *
   * @return the number of entries in it
   */
  default long addGroup(Slice group) throws StorageException {
    throw new UnsupportedOperationException("a kind that makes no groups");
  }

  /**
   * Takes what a flush or a merge brings in the kind's own way, which may be faster than {@link
   * #add} for one entry after the other. Asked before the first entry, and only of kinds with
   * deleted keys: the filters of others are made of the keys that pass by.
   *
   * <p>The transfer appends what else would be added: each key once, no antimatter, and nothing
   * that is not valid.
   *
   * @param scans what {@link MemoryIndex#scan} or {@link DiskIndex#scan} of this kind opened,
   *     newest first, not read yet; the caller closes them
   * @return null when entries shall come one by one
   */
  default @Nullable EntryTransfer transfer(List<EntryCursor> scans, EntryValidity validity)
      throws StorageException {
    return null;
  }

  /**
   * Writes what is still buffered. The writer's file is sealed afterwards by the caller.
   *
   * @return the number of the page from which {@link ComponentFormat#open} finds everything, 0 for
   *     an index without entries
   */
  int finish() throws StorageException;
}
