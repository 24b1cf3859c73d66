package dev.varve.common.format;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;

/**
 * What a kind makes of the entries of records that are loaded, whose primary keys ascend: groups of
 * what components hold of them, of which there are fewer to sort. A group is bytes that begin as
 * the keys do that it stands for, and {@link DiskIndexBuilder#addGroup} takes it. Groups come in
 * any order, and need memory of a bounded size meanwhile. Confined to one thread.
 */
public interface EntryGroups {
  /** Takes groups. */
  @FunctionalInterface
  interface GroupSink {
    /** Takes the next group, which is valid during the call only. */
    void take(Slice group) throws StorageException;
  }

  /** Whether what is handed out are groups; otherwise it is the keys of entries, one by one. */
  default boolean makesGroups() {
    return true;
  }

  /**
   * Adds an entry as it is put, whose primary key is above those before.
   *
   * @param sink takes groups that are complete
   */
  void add(Slice key, Slice value, GroupSink sink) throws StorageException;

  /** Hands out all that is left. */
  void handOut(GroupSink sink) throws StorageException;
}
