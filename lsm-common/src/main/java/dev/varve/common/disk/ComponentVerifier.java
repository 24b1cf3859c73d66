package dev.varve.common.disk;

import dev.varve.common.bytes.KeyHash;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.DiskIndex;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.format.KeyRanges;
import dev.varve.common.merge.KeyInterval;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Checks disk components against everything that is promised of them. Thread-safe: no state. */
public final class ComponentVerifier {
  private ComponentVerifier() {}

  /** Checks each component and returns the number of entries in all of them. */
  public static <Q> long verify(DiskComponents<Q> disk, @Nullable KeyRanges<Q> ranges)
      throws StorageException {
    long entries = 0;
    for (DiskComponent<Q> component : disk.all()) {
      entries += verify(component);
      require(
          component.metadata().componentLsn() <= disk.indexLsn()
              && component.id().last() <= disk.newestFlush(),
          component,
          "is newer than the newest flush of its index, " + disk.newestFlush());
    }
    List<DiskComponent<Q>> flushed = disk.flushed();
    if (!flushed.isEmpty()) {
      DiskComponent<Q> oldest = flushed.get(flushed.size() - 1);
      require(oldest.deletedKeys() == null, oldest, "is the oldest and has deleted keys");
      require(oldest.metadata().ranges().isEmpty(), oldest, "is the oldest and has deleted ranges");
    }
    if (disk.membership() == DiskComponents.Membership.MANIFEST && ranges != null) {
      verifyRanges(disk, ranges);
    }
    return entries;
  }

  /**
   * Checks a component that was just made.
   *
   * @param entries that were written to it
   * @param index its index, for the message
   */
  public static void requireEntries(DiskComponent<?> component, long entries, String index)
      throws StorageException {
    long found = verify(component);
    if (found != entries) {
      throw new CorruptionException(
          index,
          -1,
          found + " entries were read back of " + entries + " in component " + component.id());
    }
  }

  /** The keys that the manifest says are those of the files, and no level overlaps. */
  private static <Q> void verifyRanges(DiskComponents<Q> disk, KeyRanges<Q> ranges)
      throws StorageException {
    for (DiskComponent<Q> component : disk.all()) {
      DiskIndex<Q> index = component.index();
      require(index != null, component, "has no entries, and the manifest names it");
      KeyInterval found = ranges.keys(Objects.requireNonNull(index));
      KeyInterval stated = component.range().keys();
      require(
          found.smallest().sameBytes(stated.smallest())
              && found.largest().sameBytes(stated.largest()),
          component,
          "has other keys than its manifest says: " + found + ", not " + stated);
    }
    for (KeyRun<Q> level : disk.levels()) {
      DiskComponent<Q> before = null;
      for (DiskComponent<Q> component : level.components()) {
        require(
            before == null || before.range().keys().isBefore(component.range().keys()),
            component,
            "overlaps the component before it on its level");
        before = component;
      }
    }
  }

  /** Checks a component by itself and returns the number of its entries. */
  public static <Q> long verify(DiskComponent<Q> component) throws StorageException {
    component.file().verify();
    ComponentMetadata metadata = component.metadata();
    DiskIndex<Q> index = component.index();
    long found = index == null ? 0 : index.verify();
    require(
        found == metadata.entries(),
        component,
        "has " + found + " entries, its metadata page says " + metadata.entries());
    long antimatter = 0;
    Repair repair = component.repair();
    long dead = 0;
    if (index != null) {
      try (EntryCursor cursor = index.scan()) {
        while (cursor.next()) {
          Slice key = cursor.entry().key();
          long hash = KeyHash.hash(key.bytes(), key.offset(), key.length());
          require(!component.filterExcludes(hash), component, "filter denies key " + key);
          antimatter += cursor.entry().antimatter() ? 1 : 0;
          if (!repair.dead().isEmpty() && repair.dead().contains(cursor.position())) {
            require(!cursor.entry().antimatter(), component, "dead antimatter " + key);
            dead++;
          }
        }
      }
    }
    require(
        antimatter == metadata.antimatter(),
        component,
        "has " + antimatter + " antimatter, its metadata page says " + metadata.antimatter());
    require(
        dead == repair.dead().getLongCardinality(),
        component,
        "has " + dead + " dead entries, its repair says " + repair.dead().getLongCardinality());
    verifyDeletedKeys(component);
    return found;
  }

  private static void verifyDeletedKeys(DiskComponent<?> component) throws StorageException {
    DiskDeletedKeys keys = component.deletedKeys();
    if (keys == null) {
      return;
    }
    long found = keys.verifyTree();
    require(
        found == keys.count(),
        component,
        "has " + found + " deleted keys, its metadata page says " + keys.count());
    try (EntryCursor cursor = keys.scan()) {
      while (cursor.next()) {
        Slice key = cursor.entry().key();
        require(!cursor.entry().antimatter(), component, "antimatter as deleted key " + key);
        require(
            !keys.filterExcludes(KeyHash.hash(key)), component, "filter denies deleted key " + key);
      }
    }
  }

  private static void require(boolean holds, DiskComponent<?> component, String problem)
      throws CorruptionException {
    if (!holds) {
      throw new CorruptionException(component.file().name(), -1, problem);
    }
  }
}
