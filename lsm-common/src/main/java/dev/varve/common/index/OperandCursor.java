package dev.varve.common.index;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;

/**
 * The states of keys in an index with operands: those of all components, newest first, become one
 * of each key. Confined to one thread.
 */
final class OperandCursor implements ForwardingCursor {
  /** What is made of the states of a key. */
  enum Form {
    /** For a reader: the value, without a frame. */
    VALUES,
    /** For a component: what it holds, an operand where no value was met. */
    STORED,
    /** The same where nothing is older, so that an operand is a value. */
    STORED_OLDEST
  }

  private final LsmCursor states;
  private final Operands operands;
  private final Form form;
  private final Slice key = new Slice();
  private final Slice combined = new Slice();
  private final Slice older = new Slice();
  private final Entry operand = new Entry();
  private Entry shown = new Entry();
  private Origin origin = Origin.NOWHERE;
  private boolean started;

  /** Whether {@link #states} is at a state that was not looked at. */
  private boolean ahead;

  /**
   * Takes a cursor over.
   *
   * @param states every state of each key that is not hidden; see {@link
   *     MergingCursor#withOlderStates}
   */
  OperandCursor(LsmCursor states, Operands operands, Form form) {
    this.states = states;
    this.operands = operands;
    this.form = form;
  }

  @Override
  public LsmCursor states() {
    return states;
  }

  @Override
  public boolean next() throws StorageException {
    while (ahead || states.next()) {
      ahead = false;
      Entry state = states.entry();
      if (!started || !state.key().sameBytes(key)) {
        started = true;
        key.copyOf(state.key());
        origin = states.origin();
        shown = shown(state);
        return true;
      }
      // What is older than a value does not count.
    }
    return false;
  }

  private Entry shown(Entry newest) throws StorageException {
    if (newest.antimatter()) {
      return newest;
    }
    if (!operands.isOperand(newest)) {
      if (form != Form.VALUES) {
        return newest;
      }
      operand.key().set(key.bytes(), key.offset(), key.length());
      Operands.unframed(newest.value(), operand.value());
      return operand;
    }
    combined.copyOf(Operands.unframed(newest.value(), older));
    boolean whole = combineOlder() || form == Form.STORED_OLDEST;
    operand.key().set(key.bytes(), key.offset(), key.length());
    operand.value().set(combined.bytes(), combined.offset(), combined.length());
    if (form == Form.VALUES) {
      return operand;
    }
    return whole ? operands.framed(operand) : operands.framedOperand(operand);
  }

  /** Combines the operand with older states of its key; whether they say what it is about. */
  private boolean combineOlder() throws StorageException {
    while (states.next()) {
      Entry state = states.entry();
      if (!state.key().sameBytes(key)) {
        ahead = true;
        return false;
      }
      if (state.antimatter()) {
        return true;
      }
      boolean more = operands.isOperand(state);
      Slice both = operands.operator().combine(Operands.unframed(state.value(), older), combined);
      if (both != combined) {
        combined.copyOf(both);
      }
      if (!more) {
        return true;
      }
    }
    return false;
  }

  @Override
  public Entry entry() {
    return shown;
  }

  /** A state may have been put together from several entries. */
  @Override
  public long position() {
    return EntryCursor.NOWHERE;
  }

  @Override
  public Origin origin() {
    return origin;
  }
}
