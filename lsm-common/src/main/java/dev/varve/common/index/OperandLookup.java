package dev.varve.common.index;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.LookupBatch;
import dev.varve.common.format.MemoryIndex;

/**
 * Looks one key up where an operand may be its newest state: goes on to older components until
 * something says what all the operands are about. Used once, by one thread.
 */
final class OperandLookup {
  private final Operands operands;
  private final Entry found;

  /** The operands so far as one. */
  private final Slice combined = new Slice();

  private final Slice older = new Slice();
  private boolean hasOperand;

  /**
   * A lookup.
   *
   * @param found filled with what there is of the key, without a frame, unless there is nothing
   */
  OperandLookup(Operands operands, Entry found) {
    this.operands = operands;
    this.found = found;
  }

  /**
   * Finds the key in a list of components; what is combined was found where its newest part was.
   */
  Origin in(ComponentList<?> list, Slice key, long hash) throws StorageException {
    Origin origin = Origin.NOWHERE;
    boolean settled = false;
    for (int i = 0; i < list.memory().size() && !settled; i++) {
      MemoryIndex<?> index = list.memory().get(i).index();
      settled = index.find(key, found) && settles(found);
      origin = settled || hasOperand ? Origin.MEMORY : origin;
      settled |= list.hidesBelow(i, key);
    }
    if (!settled) {
      Origin onDisk = list.findOnDisk(key, hash, found, this);
      Origin lowest = hasOperand ? Origin.DISK : onDisk;
      origin = origin == Origin.NOWHERE ? lowest : origin;
    }
    if (hasOperand) {
      found.key().copyOf(key);
      found.value().copyOf(combined);
      found.antimatter(false);
    }
    return origin;
  }

  /** Has a batch whose keys were looked up have what they come to, in place of entries. */
  static void complete(LookupBatch batch, ComponentList<?> list, Operands operands)
      throws StorageException {
    Entry found = new Entry();
    for (int position = batch.from(); position < batch.to(); position++) {
      if (!batch.isFound(position)) {
        continue;
      }
      batch.view(position, found);
      if (found.antimatter()) {
        continue;
      }
      if (operands.isOperand(found)) {
        Slice key = batch.key(position, new Slice());
        Origin origin = new OperandLookup(operands, found).in(list, key, batch.hash(position));
        boolean inMemory = origin == Origin.MEMORY;
        batch.found(position, found, inMemory ? LookupBatch.Place.MEMORY : LookupBatch.Place.DISK);
      } else {
        batch.leaveOutFirst(position, Operands.FRAME_BYTES);
      }
    }
  }

  /**
   * Takes the next older state of the key into account.
   *
   * @return whether nothing that is older still counts
   */
  boolean settles(Entry state) throws StorageException {
    if (state.antimatter()) {
      return true;
    }
    boolean operand = operands.isOperand(state);
    Operands.unframed(state.value(), older);
    if (hasOperand) {
      Slice both = operands.operator().combine(older, combined);
      if (both != combined) {
        combined.copyOf(both);
      }
    } else if (operand) {
      combined.copyOf(older);
      hasOperand = true;
    } else {
      state.value().set(older.bytes(), older.offset(), older.length());
    }
    return !operand;
  }
}
