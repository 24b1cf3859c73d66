package dev.varve.btree.memory;

import static dev.varve.btree.memory.ArenaLayout.NO_ADDRESS;

import dev.varve.common.bytes.Slice;
import dev.varve.common.format.Entry;
import dev.varve.common.format.LookupBatch;
import java.util.function.ToIntFunction;

/**
 * Looks many keys up in a tree in memory. Neighbours by key lie anywhere in the arena, so what a
 * group of keys has there is fetched together. Confined to one lookup.
 */
final class MemorySweep {
  /** Keys whose entries are fetched together; more would push each other out of the first cache. */
  private static final int GROUP = 16;

  private final ToIntFunction<Slice> tree;

  private final EntryArena arena;
  private final LookupBatch batch;
  private final int[] addresses = new int[GROUP];
  private final int[] positions = new int[GROUP];
  private final Slice key = new Slice();
  private final Entry found = new Entry();

  /** Only written, so that prefetching has an effect. */
  @SuppressWarnings("UnusedVariable")
  private int prefetched;

  /**
   * A sweep of a tree.
   *
   * @param tree where it has the entry with a key, or no address
   */
  MemorySweep(ToIntFunction<Slice> tree, EntryArena arena, LookupBatch batch) {
    this.tree = tree;
    this.arena = arena;
    this.batch = batch;
  }

  /** Finds the keys that the batch asks for. */
  void run() {
    int asked = batch.askedCount();
    for (int from = 0; from < asked && !batch.isFull(); from += GROUP) {
      take(locate(from, Math.min(asked, from + GROUP)));
    }
  }

  /** Finds out where the entries of a group are; returns how many there are. */
  private int locate(int from, int to) {
    int there = 0;
    for (int n = from; n < to; n++) {
      int position = batch.asked(n);
      int address = tree.applyAsInt(batch.key(position, key));
      if (address != NO_ADDRESS) {
        positions[there] = position;
        addresses[there++] = address;
      }
    }
    return there;
  }

  private void take(int there) {
    prefetched += arena.prefetch(addresses, 0, there);
    for (int i = 0; i < there && !batch.isFull(); i++) {
      arena.view(addresses[i], found);
      batch.found(positions[i], found, LookupBatch.Place.MEMORY);
      if (batch.isFull()) {
        batch.endBehind(positions[i]);
      }
    }
  }
}
