package dev.varve.common.disk;

import dev.varve.common.bytes.KeyHash;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import java.util.ArrayList;
import java.util.List;

/**
 * Some of the keys that stream by, evenly: every n-th, with an n that doubles whenever too many are
 * kept. Confined to one task.
 */
final class KeySample {
  /** Between half as many keys and this many are kept; 256 err by 3 % of a share of a half. */
  private static final int MOST = 512;

  private final List<Slice> keys = new ArrayList<>();
  private long seen;
  private long stride = 1;

  void add(Slice key) {
    if (seen++ % stride == 0) {
      if (keys.size() == MOST) {
        thin();
      }
      if ((seen - 1) % stride == 0) {
        Slice copy = new Slice();
        copy.copyOf(key);
        keys.add(copy);
      }
    }
  }

  private void thin() {
    for (int i = 1; i <= MOST / 2; i++) {
      // The ones at even positions stay, which are those of twice the stride.
      keys.remove(i);
    }
    stride *= 2;
    assert keys.size() == MOST / 2 : keys.size();
  }

  /** How many of all keys that streamed by are in one of some components, about. */
  long countIn(List<? extends DiskComponent<?>> components) throws StorageException {
    Entry found = new Entry();
    long hits = 0;
    for (Slice key : keys) {
      hits += isIn(components, key, found) ? 1 : 0;
    }
    return keys.isEmpty() ? 0 : Math.round((double) seen * hits / keys.size());
  }

  private static boolean isIn(List<? extends DiskComponent<?>> components, Slice key, Entry found)
      throws StorageException {
    long hash = KeyHash.hash(key);
    for (DiskComponent<?> component : components) {
      // A filter alone errs too often where there are many components.
      if (!component.filterExcludes(hash) && component.find(key, found)) {
        return true;
      }
    }
    return false;
  }
}
