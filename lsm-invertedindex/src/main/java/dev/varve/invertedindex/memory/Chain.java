package dev.varve.invertedindex.memory;

import dev.varve.common.bytes.Bytes;

/** Reads one chain of postings; see {@link Terms}. Confined to one thread. */
final class Chain {
  /** What {@link #next} returns at the end. */
  static final int END = Integer.MAX_VALUE;

  private final ByteArena arena;
  private byte[] chunk;
  private int at;
  private int end;
  private int level;
  private int ordinal = -1;

  Chain(ByteArena arena, int head) {
    this.arena = arena;
    this.chunk = arena.chunk(head);
    this.at = ByteArena.offset(head);
    this.end = at + Terms.sliceBytes(0);
  }

  /** The next ordinal, or {@link #END}, and that from then on. */
  int next() {
    int value = 0;
    int shift = 0;
    while (true) {
      if (at == end && !nextSlice()) {
        return END;
      }
      byte b = chunk[at];
      if (b == 0) {
        return END;
      }
      at++;
      if (b < 0) {
        ordinal += value | ((b & 0x7F) << shift);
        return ordinal;
      }
      value |= (b & 0x3F) << shift;
      shift += 6;
    }
  }

  private boolean nextSlice() {
    int slice = end + Integer.BYTES <= chunk.length ? Bytes.getInt(chunk, end) : ByteArena.NONE;
    byte[] next = arena.chunk(slice);
    int from = ByteArena.offset(slice);
    int to = from + Terms.sliceBytes(level + 1);
    if (slice == ByteArena.NONE || to > next.length) {
      return false;
    }
    level++;
    chunk = next;
    at = from;
    end = to;
    return true;
  }
}
