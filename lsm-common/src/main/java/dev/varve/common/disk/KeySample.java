package dev.varve.common.disk;

import dev.varve.common.bytes.KeyHash;
import dev.varve.common.error.StorageException;
import java.util.List;

/**
 * Hashes of some of the keys that stream by: the lowest ones, up to a bound that is halved whenever
 * there are too many. They are as good as any, and filters have them in their first pages, so that
 * a task reads few pages of a component that nobody has read. Confined to one task.
 */
final class KeySample {
  /** About half as many to this many are kept; 256 err by 3 % of a share of a half. */
  private static final int MOST = 512;

  /** Of a hash; the upper half says which page of a filter has it. */
  private static final long LOWER_HALF = 0xFFFF_FFFFL;

  private final long[] hashes = new long[MOST];
  private int count;
  private long seen;

  /** No higher hash is kept, unsigned. */
  private long bound = -1;

  void add(long hash) {
    seen++;
    if (Long.compareUnsigned(hash, bound) <= 0) {
      if (count == MOST) {
        thin();
      }
      if (count < MOST && Long.compareUnsigned(hash, bound) <= 0) {
        hashes[count++] = hash;
      }
    }
  }

  private void thin() {
    bound >>>= 1;
    int left = 0;
    for (int i = 0; i < MOST; i++) {
      if (Long.compareUnsigned(hashes[i], bound) <= 0) {
        hashes[left++] = hashes[i];
      }
    }
    count = left;
  }

  /**
   * How many of all keys that streamed by are in one of some components, about, as their filters
   * say. Of hashes that are nobody's and lie in the same pages they say how often they err.
   */
  long countIn(List<? extends DiskComponent<?>> components) throws StorageException {
    int hits = 0;
    int errors = 0;
    for (int i = 0; i < count; i++) {
      hits += mayBeIn(components, hashes[i]) ? 1 : 0;
      long nobodys = (hashes[i] & ~LOWER_HALF) | (KeyHash.mix(hashes[i]) & LOWER_HALF);
      errors += mayBeIn(components, nobodys) ? 1 : 0;
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
