package dev.varve.common.index;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.ComponentFormat;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.format.MemoryIndex;
import dev.varve.common.format.MergeOperator;
import org.jspecify.annotations.Nullable;

/**
 * Values and operands as the components of an index with a {@link MergeOperator} hold them: behind
 * one byte, the frame, that tells them apart. Who reads or writes the index sees no frames. Of a
 * key, a component has one entry at most, so a memory component combines what is put into it; what
 * lies in several components is combined by readers and merges. Thread-safe.
 */
record Operands(MergeOperator operator) {
  static final int FRAME_BYTES = 1;

  private static final byte VALUE = 0;
  private static final byte OPERAND = 1;

  /** Those of an index; null where there is no operator, and no frame. */
  static @Nullable Operands of(ComponentFormat<?> format) {
    MergeOperator operator = format.mergeOperator();
    return operator == null ? null : new Operands(operator);
  }

  /**
   * Whether something older counts, too.
   *
   * @param stored matter out of a component
   */
  boolean isOperand(Entry stored) throws CorruptionException {
    requireFrame(stored);
    return stored.value().bytes()[stored.value().offset()] == OPERAND;
  }

  private static void requireFrame(Entry stored) throws CorruptionException {
    Slice value = stored.value();
    int frame = value.length() == 0 ? -1 : value.bytes()[value.offset()];
    if (frame != VALUE && frame != OPERAND) {
      throw new CorruptionException(
          "key " + stored.key(), -1, "its value begins with " + frame + ", which is no frame");
    }
  }

  /** Points a slice at what is behind the frame; returns it. */
  static Slice unframed(Slice stored, Slice view) {
    assert stored.length() > 0 : "no frame";
    return view.set(stored.bytes(), stored.offset() + FRAME_BYTES, stored.length() - FRAME_BYTES);
  }

  /** An entry as components hold it. */
  Entry framed(Entry entry) {
    return framed(entry, entry.value(), VALUE);
  }

  /** An operand as components hold it. */
  Entry framedOperand(Entry entry) {
    return framed(entry, entry.value(), OPERAND);
  }

  private static Entry framed(Entry entry, Slice value, byte frame) {
    if (entry.antimatter()) {
      return entry;
    }
    byte[] bytes = new byte[FRAME_BYTES + value.length()];
    bytes[0] = frame;
    System.arraycopy(value.bytes(), value.offset(), bytes, FRAME_BYTES, value.length());
    Entry framed = new Entry();
    Slice key = entry.key();
    framed.key().set(key.bytes(), key.offset(), key.length());
    framed.value().set(bytes, 0, bytes.length);
    return framed;
  }

  /** What a memory component has of a key once an operand is put. */
  Entry combined(MemoryIndex<?> index, Entry operand) {
    Entry before = new Entry();
    if (!index.find(operand.key(), before)) {
      return framedOperand(operand);
    }
    if (before.antimatter()) {
      return framed(operand);
    }
    byte frame = before.value().bytes()[before.value().offset()];
    Slice older = unframed(before.value(), new Slice());
    return framed(operand, operator.combine(older, operand.value()), frame);
  }

  /** Checks that each of the entries of a component has a frame, where it needs one. */
  static void verify(EntryCursor entries) throws StorageException {
    while (entries.next()) {
      if (!entries.entry().antimatter()) {
        requireFrame(entries.entry());
      }
    }
  }
}
