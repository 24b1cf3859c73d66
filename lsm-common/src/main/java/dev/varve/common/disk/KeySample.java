package dev.varve.common.disk;

import dev.varve.common.bytes.KeyHash;
import dev.varve.common.error.StorageException;
import java.util.List;

/**
 * Hashes of some of the keys that stream by, evenly: every n-th, with an n that doubles whenever
 * too many are kept. Confined to one task.
 */
final class KeySample {
  /** Between half as many and this many are kept; 256 err by 3 % of a share of a half. */
  private static final int MOST = 512;

  private final long[] hashes = new long[MOST];
  private int count;
  private long seen;
  private long stride = 1;

  void add(long hash) {
    if (seen % stride == 0) {
      if (count == MOST) {
        thin();
      }
      if (seen % stride == 0) {
        hashes[count++] = hash;
      }
    }
    seen++;
  }

  /** Those at even places stay, which are those of twice the stride. */
  private void thin() {
    for (int i = 0; i < MOST / 2; i++) {
      hashes[i] = hashes[2 * i];
    }
    count = MOST / 2;
    stride *= 2;
  }

  /**
   * How many of all keys that streamed by are in one of some components, about, as their filters
   * say. Of hashes that are nobody's they say how often they err.
   */
  long countIn(List<? extends DiskComponent<?>> components) throws StorageException {
    int hits = 0;
    int errors = 0;
    for (int i = 0; i < count; i++) {
      hits += mayBeIn(components, hashes[i]) ? 1 : 0;
      errors += mayBeIn(components, KeyHash.mix(hashes[i])) ? 1 : 0;
    }
    return hits <= errors ? 0 : Math.round((double) seen * (hits - errors) / (count - errors));
  }

  private static boolean mayBeIn(List<? extends DiskComponent<?>> components, long hash)
      throws StorageException {
    for (DiskComponent<?> component : components) {
      if (component.hasFilter() && !component.filterExcludes(hash)) {
        return true;
      }
    }
    return false;
  }
}
