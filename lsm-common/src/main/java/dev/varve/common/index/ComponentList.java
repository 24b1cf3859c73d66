package dev.varve.common.index;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.KeyHash;
import dev.varve.common.bytes.Slice;
import dev.varve.common.component.ComponentId;
import dev.varve.common.component.ComponentState;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.component.RefCounted;
import dev.varve.common.error.StorageException;
import dev.varve.common.filter.BloomFilter;
import dev.varve.common.merge.IndexShape;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An immutable snapshot of an index's components, newest first, held by its readers. The index
 * itself holds the current one; a flush or merge publishes a new one in one step. Who acquired a
 * list releases it; the last release lets go of the disk components. A glance does neither, so
 * memory components are left to the garbage collector and never emptied for reuse.
 */
final class ComponentList<Q> {
  private final List<MemoryComponent<Q>> memory;
  private final List<DiskComponent<Q>> disk;
  private final @Nullable DeletedKeys deletedKeys;
  private final RefCounted users = new RefCounted(this::releaseComponents);

  /**
   * Acquires every disk component; the caller holds them alive meanwhile.
   *
   * @param deletedKeys the kind's, or null
   */
  ComponentList(
      @Nullable DeletedKeys deletedKeys,
      List<MemoryComponent<Q>> memory,
      List<DiskComponent<Q>> disk) {
    this.deletedKeys = deletedKeys;
    this.memory = List.copyOf(memory);
    this.disk = List.copyOf(disk);
    for (DiskComponent<Q> component : this.disk) {
      if (!component.acquire()) {
        throw new IllegalStateException("component " + component.id() + " is closed");
      }
    }
  }

  /** Memory components, the one that takes writers first. */
  List<MemoryComponent<Q>> memory() {
    return memory;
  }

  /** Whether every component is on disk. */
  boolean memoryIsEmpty() {
    return memory.size() == 1 && !memory.get(0).holdsOperations();
  }

  /** Whether a memory component is sealed whose flush waits for a writer that has not left. */
  boolean flushWaitsForWriter() {
    MemoryComponent<Q> oldest = memory.get(memory.size() - 1);
    return oldest.state() == ComponentState.SEALED && !oldest.flushable();
  }

  /** Disk components, newest first. */
  List<DiskComponent<Q>> disk() {
    return disk;
  }

  /** What a merge policy sees; states move under the owner's lock. */
  IndexShape shape() {
    List<ComponentStats> components = new ArrayList<>();
    List<ComponentId> merging = new ArrayList<>();
    for (int i = disk.size() - 1; i >= 0; i--) {
      components.add(disk.get(i).stats());
      if (disk.get(i).state() == ComponentState.MERGING) {
        merging.add(disk.get(i).id());
      }
    }
    return new IndexShape(components, merging);
  }

  /**
   * The disk components with these ids, newest first.
   *
   * @param ids oldest first
   * @throws IllegalStateException when they are not adjacent components of this list
   */
  List<DiskComponent<Q>> run(List<ComponentId> ids) {
    for (int from = 0; from + ids.size() <= disk.size(); from++) {
      List<DiskComponent<Q>> run = disk.subList(from, from + ids.size());
      boolean matches = true;
      for (int i = 0; i < ids.size(); i++) {
        matches &= run.get(ids.size() - 1 - i).id().equals(ids.get(i));
      }
      if (matches) {
        return run;
      }
    }
    throw new IllegalStateException(
        "the merge policy chose " + ids + ", which are not adjacent components");
  }

  /** Bytes of heap in all memory components. */
  long memoryBytes() {
    long bytes = 0;
    for (int i = 0; i < memory.size(); i++) {
      bytes += memory.get(i).usedBytes();
    }
    return bytes;
  }

  /** Whether it is as small as a merge of everything would make it. */
  boolean isCompact() {
    return disk.isEmpty() || (disk.size() == 1 && disk.get(0).stats().antimatter() == 0);
  }

  /** The memory components with another one for writers. */
  List<MemoryComponent<Q>> memoryWith(MemoryComponent<Q> newest) {
    List<MemoryComponent<Q>> components = new ArrayList<>(memory);
    components.add(0, newest);
    return components;
  }

  /** The memory components after a flush. */
  List<MemoryComponent<Q>> memoryWithout(MemoryComponent<Q> flushed) {
    List<MemoryComponent<Q>> components = new ArrayList<>(memory);
    components.remove(flushed);
    return components;
  }

  /** The disk components after a flush or bulk load. */
  List<DiskComponent<Q>> diskWith(DiskComponent<Q> newest) {
    List<DiskComponent<Q>> components = new ArrayList<>(disk);
    components.add(0, newest);
    return components;
  }

  /** The disk components after a merge. */
  List<DiskComponent<Q>> diskWith(DiskComponent<Q> output, List<DiskComponent<Q>> inputs) {
    List<DiskComponent<Q>> components = new ArrayList<>(disk);
    int position = components.indexOf(inputs.get(0));
    components.removeAll(inputs);
    components.add(position, output);
    return components;
  }

  /** See {@link LsmIndex#indexLsn}. */
  long indexLsn() {
    long lsn = -1;
    for (DiskComponent<Q> component : disk) {
      lsn = Math.max(lsn, component.metadata().componentLsn());
    }
    return lsn;
  }

  /** See {@link LsmIndex#redoPosition}. */
  long redoPosition() {
    long position = Long.MAX_VALUE;
    for (MemoryComponent<Q> component : memory) {
      if (component.holdsOperations()) {
        position = Math.min(position, component.startLsn());
      }
    }
    return position;
  }

  boolean acquire() {
    return users.acquire();
  }

  void release() {
    users.release();
  }

  /** Finds the newest state of a key; see {@link LsmIndex#find}. */
  Origin find(Slice key, Entry found, IndexCounters counters) throws StorageException {
    if (deletedKeys != null) {
      return findValid(deletedKeys, key, found);
    }
    for (int i = 0; i < memory.size(); i++) {
      if (memory.get(i).index().find(key, found)) {
        return Origin.MEMORY;
      }
    }
    return disk.isEmpty() ? Origin.NOWHERE : findOnDisk(key, found, counters);
  }

  /**
   * Finds the newest state of a key for somebody who does not hold the list; see {@link
   * LsmIndex#glance}.
   *
   * @return null when the answer needs a look by somebody who does
   */
  @Nullable Origin glance(Slice key, Entry found, IndexCounters counters) {
    if (deletedKeys != null) {
      return null;
    }
    for (int i = 0; i < memory.size(); i++) {
      if (memory.get(i).index().find(key, found)) {
        return Origin.MEMORY;
      }
    }
    long hash = KeyHash.hash(key);
    int skipped = 0;
    Sight sight = Sight.ABSENT;
    int looked = 0;
    while (sight == Sight.ABSENT && looked < disk.size()) {
      DiskComponent<Q> component = disk.get(looked++);
      BloomFilter.Answer answer = component.glanceAtFilter(hash);
      if (answer == BloomFilter.Answer.ABSENT) {
        skipped++;
      } else if (answer == BloomFilter.Answer.UNREAD) {
        return null;
      } else {
        sight = component.glance(key, found);
      }
    }
    if (sight == Sight.UNKNOWN) {
      return null;
    }
    counters.filters.count(looked, skipped);
    return sight == Sight.FOUND ? Origin.DISK : Origin.NOWHERE;
  }

  /**
   * Finds a key where deletions are kept beside the entries. The newest entry decides: whatever
   * deletes it deletes older ones with its key, too.
   */
  private Origin findValid(DeletedKeys kind, Slice key, Entry found) throws StorageException {
    int source = 0;
    for (MemoryComponent<Q> component : memory) {
      if (component.index().find(key, found)) {
        return found.antimatter() ? Origin.MEMORY : settle(kind, source, found, Origin.MEMORY);
      }
      source++;
    }
    for (DiskComponent<Q> component : disk) {
      if (component.find(key, found)) {
        return settle(kind, source, found, Origin.DISK);
      }
      source += component.index() == null ? 0 : 1;
    }
    return Origin.NOWHERE;
  }

  private Origin settle(DeletedKeys kind, int source, Entry found, Origin origin)
      throws StorageException {
    Validity validity = new NewerDeletedKeys(kind, memory, disk).validity(source, found.key());
    found.antimatter(validity != Validity.VALID);
    return switch (validity) {
      case VALID -> origin;
      case DELETED_IN_MEMORY -> Origin.MEMORY;
      case DELETED_ON_DISK -> Origin.NOWHERE;
    };
  }

  private Origin findOnDisk(Slice key, Entry found, IndexCounters counters)
      throws StorageException {
    long hash = KeyHash.hash(key.bytes(), key.offset(), key.length());
    int probed = 0;
    int skipped = 0;
    try {
      for (int i = 0; i < disk.size(); i++) {
        DiskComponent<Q> component = disk.get(i);
        probed += component.hasFilter() ? 1 : 0;
        if (component.filterExcludes(hash)) {
          skipped++;
        } else if (component.find(key, found)) {
          return Origin.DISK;
        }
      }
      return Origin.NOWHERE;
    } finally {
      counters.filters.count(probed, skipped);
    }
  }

  /**
   * Searches every component; the cursor releases this list when it is closed, so the caller hands
   * over its own hold. When this throws, the hold stays with the caller.
   */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // the merging cursor closes the components' cursors
  LsmCursor search(Q predicate, boolean descending) throws StorageException {
    List<EntryCursor> cursors = new ArrayList<>();
    try {
      for (MemoryComponent<Q> component : memory) {
        cursors.add(component.index().search(predicate));
      }
      for (DiskComponent<Q> component : disk) {
        DiskIndex<Q> index = component.index();
        if (index != null) {
          cursors.add(index.search(predicate));
        }
      }
      MergingCursor states = new MergingCursor(cursors, memory.size(), descending, this::release);
      if (deletedKeys == null) {
        return states;
      }
      NewerDeletedKeys newer = new NewerDeletedKeys(deletedKeys, memory, disk);
      return newer.isEmpty() ? states : new ValidCursor(states, newer);
    } catch (StorageException | RuntimeException | Error e) {
      cursors.forEach(EntryCursor::close);
      throw e;
    }
  }

  private void releaseComponents() {
    for (DiskComponent<Q> component : disk) {
      component.release();
    }
  }
}
