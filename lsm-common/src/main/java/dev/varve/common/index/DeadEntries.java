package dev.varve.common.index;

import dev.varve.common.disk.DiskComponent;
import dev.varve.common.disk.DiskComponents;
import dev.varve.common.disk.DiskComponents.Membership;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.DiskIndex;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.format.LookupBatch;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/**
 * Which entries of the disk components of an index are dead, because newer disk components have
 * their keys: the mutable bitmaps of Luo and Carey, Efficient Data Ingestion and Query Processing
 * for LSM-Based Storage Systems, VLDB 2019, section 5. Readers take what is known at a moment; one
 * sweep at a time goes on from there.
 *
 * <p>Implementation note. The paper sets a bit for each write, by an index of keys whose components
 * have the same bounds as those of the records, so that a merge has to learn of bits that change
 * while it runs. Here positions die when the newer entry is on disk: until then every reader finds
 * that in memory. So what is dead follows from the components of the index alone. Nothing of it is
 * logged or kept: a component that a merge has made begins with nothing dead, and is brought up by
 * the keys of those that are newer; after an opening all are.
 */
final class DeadEntries<Q> {
  /** Keys that are looked up together. */
  private static final int KEYS_A_SWEEP = 1024;

  private volatile Map<DiskComponent<Q>, Dead> known = Map.of();

  /**
   * What is known of a component.
   *
   * @param positions of dead entries; see {@link EntryCursor#position}. Not changed any more
   * @param upTo all keys of the flushes up to this one have been looked up in the component
   */
  record Dead(Roaring64Bitmap positions, long upTo) {}

  /** What is known now. */
  Map<DiskComponent<Q>, Dead> known() {
    return known;
  }

  /** What is known of a component; of a new one that nothing in it hides anything else in it. */
  static <Q> Dead of(DiskComponent<Q> component, Map<DiskComponent<Q>, Dead> known) {
    Dead dead = known.get(component);
    return dead == null ? new Dead(new Roaring64Bitmap(), component.id().last()) : dead;
  }

  /** Whether keys were flushed that have not been looked up in an older component. */
  boolean isBehind(DiskComponents<Q> disk) {
    return next(disk) >= 0;
  }

  /** The number among the flushed components of the newest that is behind; -1 for none. */
  private int next(DiskComponents<Q> disk) {
    // Under a manifest a deletion may go down past an older component of other keys, and end.
    boolean tiled = disk.membership() == Membership.NAMES;
    for (int i = 0; tiled && i < disk.flushed().size(); i++) {
      if (of(disk.flushed().get(i), known).upTo() < disk.newestFlush()) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Brings one component up to the newest flush, and forgets those that are gone. Called by one
   * thread at a time, which holds the components.
   *
   * @return false when none is behind
   */
  boolean advance(DiskComponents<Q> disk) throws StorageException {
    Map<DiskComponent<Q>, Dead> after = new HashMap<>(known);
    after.keySet().retainAll(disk.flushed());
    int number = next(disk);
    if (number >= 0) {
      DiskComponent<Q> component = disk.flushed().get(number);
      Dead before = of(component, known);
      Roaring64Bitmap positions = before.positions().clone();
      for (DiskComponent<Q> newer : disk.flushed().subList(0, number)) {
        if (newer.id().last() > before.upTo()) {
          findKeys(newer, component, positions);
        }
      }
      assert before.positions().getLongCardinality() <= positions.getLongCardinality();
      after.put(component, new Dead(positions, disk.newestFlush()));
    }
    known = Map.copyOf(after);
    return number >= 0;
  }

  /** Adds where an older component has the keys of a newer one. */
  private static <Q> void findKeys(
      DiskComponent<Q> newer, DiskComponent<Q> older, Roaring64Bitmap positions)
      throws StorageException {
    DiskIndex<Q> keys = newer.index();
    if (keys == null || older.index() == null) {
      return;
    }
    LookupBatch batch = new LookupBatch();
    try (EntryCursor cursor = keys.scan()) {
      boolean more = true;
      while (more) {
        batch.clear();
        while (batch.size() < KEYS_A_SWEEP && (more = cursor.next())) {
          batch.add(cursor.entry().key());
        }
        while (batch.to() < batch.size()) {
          findAll(batch, older, positions);
        }
      }
    }
  }

  private static <Q> void findAll(
      LookupBatch batch, DiskComponent<Q> component, Roaring64Bitmap positions)
      throws StorageException {
    batch.begin();
    for (int n = 0; n < batch.pendingCount(); n++) {
      if (!component.filterExcludes(batch.hash(batch.pending(n)))) {
        batch.ask(batch.pending(n));
      }
    }
    Objects.requireNonNull(component.index()).findAll(batch);
    batch.endTurn();
    for (int position = batch.from(); position < batch.to(); position++) {
      if (batch.isFound(position)) {
        positions.addLong(batch.liesAt(position));
      }
    }
  }

  /**
   * Checks that what is dead is just what newer components have the keys of, as far as they were
   * looked up. The caller holds the components.
   *
   * @throws CorruptionException naming the first component for which that is not so
   */
  void verify(DiskComponents<Q> disk) throws StorageException {
    Map<DiskComponent<Q>, Dead> now = known;
    List<DiskComponent<Q>> flushed = disk.flushed();
    for (int i = 0; i < flushed.size(); i++) {
      DiskComponent<Q> component = flushed.get(i);
      Dead dead = of(component, now);
      Roaring64Bitmap must = new Roaring64Bitmap();
      Roaring64Bitmap may = new Roaring64Bitmap();
      for (DiskComponent<Q> newer : flushed.subList(0, i)) {
        findKeys(newer, component, newer.id().last() <= dead.upTo() ? must : may);
      }
      may.or(must);
      must.andNot(dead.positions());
      require(must, component, "is not dead, and a newer component has its key");
      Roaring64Bitmap rest = dead.positions().clone();
      rest.andNot(may);
      require(rest, component, "is dead, and no newer component has its key");
    }
  }

  private static void require(Roaring64Bitmap none, DiskComponent<?> component, String problem)
      throws CorruptionException {
    if (!none.isEmpty()) {
      String what = "the entry at position " + none.first() + " " + problem;
      throw new CorruptionException(component.file().name(), -1, what);
    }
  }
}
