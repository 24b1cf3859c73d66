package dev.varve.common.index;

import dev.varve.common.bytes.KeyHash;
import dev.varve.common.bytes.Slice;
import dev.varve.common.component.ComponentMetadata;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import java.util.List;

/** Checks disk components against everything that is promised of them. Thread-safe: no state. */
final class ComponentVerifier {
  private ComponentVerifier() {}

  /** Checks each component and returns the number of entries in all of them. */
  static <Q> long verify(List<DiskComponent<Q>> newestFirst) throws StorageException {
    long entries = 0;
    for (DiskComponent<Q> component : newestFirst) {
      entries += verify(component);
    }
    if (!newestFirst.isEmpty()) {
      DiskComponent<Q> oldest = newestFirst.get(newestFirst.size() - 1);
      require(oldest.deletedKeys() == null, oldest, "is the oldest and has deleted keys");
    }
    return entries;
  }

  private static <Q> long verify(DiskComponent<Q> component) throws StorageException {
    component.file().verify();
    ComponentMetadata metadata = component.metadata();
    DiskIndex<Q> index = component.index();
    long found = index == null ? 0 : index.verify();
    require(
        found == metadata.entries(),
        component,
        "has " + found + " entries, its metadata page says " + metadata.entries());
    long antimatter = 0;
    if (index != null) {
      try (EntryCursor cursor = index.scan()) {
        while (cursor.next()) {
          Slice key = cursor.entry().key();
          long hash = KeyHash.hash(key.bytes(), key.offset(), key.length());
          require(!component.filterExcludes(hash), component, "filter denies key " + key);
          antimatter += cursor.entry().antimatter() ? 1 : 0;
        }
      }
    }
    require(
        antimatter == metadata.antimatter(),
        component,
        "has " + antimatter + " antimatter, its metadata page says " + metadata.antimatter());
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
