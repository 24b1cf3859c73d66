package dev.varve.invertedindex.memory;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.KeyHash;
import dev.varve.common.bytes.Slice;
import java.util.Arrays;

/**
 * The tokens of a memory component and the chain of postings of each: a hash table with open
 * addressing over records of a few integers. Written by one thread at a time, read by any number.
 *
 * <p>A chain is a list of slices of the arena, each twice as long as the one before, up to a bound.
 * Behind the postings of a slice stands the address of the next one. A posting is the distance from
 * the ordinal before it (the first counts from -1), which is never zero: groups of six bits with
 * {@code 40} set, the lowest first, and one of seven bits with {@code 80} set at the end. So no
 * byte is zero, and a reader that overtakes the writer comes to a zero and stops there.
 *
 * <p>Readers do not lock. They take the count of documents first and look at no ordinal beyond it:
 * everything of those documents happened before. Of later ones they may see anything, in part or
 * not at all, and it is either equal to what they look for or not.
 */
final class Terms {
  /** Integers of a record. */
  private static final int RECORD = 8;

  private static final int KEY = 0;
  private static final int HASH = 1;
  private static final int HEAD = 2;
  private static final int TAIL = 3;

  /** Address behind the slice's postings, where that of the next slice stands. */
  private static final int END = 4;

  private static final int LEVEL = 5;

  /** Ordinal of the last posting. */
  private static final int LAST = 6;

  private static final int COUNT = 7;

  private static final int FIRST_SLICE = 8;

  /** Slices become no longer than the first one shifted by this. */
  private static final int MAX_LEVEL = 8;

  private final ByteArena arena;

  /** Number of the term plus one, or 0. */
  private volatile int[] slots = new int[64];

  private volatile int[] records = new int[16 * RECORD];
  private int count;

  Terms(ByteArena arena) {
    this.arena = arena;
  }

  /** Number of postings in a slice. */
  static int sliceBytes(int level) {
    return FIRST_SLICE << Math.min(level, MAX_LEVEL);
  }

  int count() {
    return count;
  }

  /** Bytes of heap in tables. */
  long heldBytes() {
    return (long) Integer.BYTES * (slots.length + records.length);
  }

  /** Adds a posting above all others of a token; false when the document has it already. */
  boolean add(int ordinal, Slice token) {
    int hash = (int) KeyHash.hash(token);
    int term = find(token, hash);
    if (term < 0) {
      term = insert(token, hash);
    }
    int[] all = records;
    int record = term * RECORD;
    int last = all[record + LAST];
    assert last <= ordinal : last + " before " + ordinal;
    if (last == ordinal) {
      return false;
    }
    int rest = ordinal - last;
    while (rest > 0x7F) {
      append(all, record, 0x40 | (rest & 0x3F));
      rest >>>= 6;
    }
    append(all, record, 0x80 | rest);
    all[record + LAST] = ordinal;
    all[record + COUNT]++;
    return true;
  }

  private void append(int[] all, int record, int value) {
    int tail = all[record + TAIL];
    if (tail == all[record + END]) {
      int level = ++all[record + LEVEL];
      int slice = arena.allocate(sliceBytes(level) + Integer.BYTES);
      Bytes.putInt(arena.chunk(tail), ByteArena.offset(tail), slice);
      tail = slice;
      all[record + END] = slice + sliceBytes(level);
    }
    arena.chunk(tail)[ByteArena.offset(tail)] = (byte) value;
    all[record + TAIL] = tail + 1;
  }

  /** The number of a token's term, or -1. */
  int find(Slice token) {
    return find(token, (int) KeyHash.hash(token));
  }

  private int find(Slice token, int hash) {
    int[] table = slots;
    int[] all = records;
    int mask = table.length - 1;
    for (int slot = hash & mask; ; slot = (slot + 1) & mask) {
      int term = table[slot] - 1;
      if (term < 0) {
        return -1;
      }
      int record = term * RECORD;
      if (record < all.length && all[record + HASH] == hash && same(all[record + KEY], token)) {
        return term;
      }
    }
  }

  private boolean same(int key, Slice token) {
    byte[] chunk = arena.chunk(key);
    int at = ByteArena.offset(key);
    int length = token.length();
    return key != ByteArena.NONE
        && at + 1 + length <= chunk.length
        && (chunk[at] & 0xFF) == length
        && Arrays.equals(
            chunk, at + 1, at + 1 + length, token.bytes(), token.offset(), token.offset() + length);
  }

  private int insert(Slice token, int hash) {
    int term = count;
    int[] all = records;
    if ((term + 1) * RECORD > all.length) {
      records = all = Arrays.copyOf(all, 2 * all.length);
    }
    int key = arena.allocate(1 + token.length());
    byte[] chunk = arena.chunk(key);
    int at = ByteArena.offset(key);
    chunk[at] = (byte) token.length();
    System.arraycopy(token.bytes(), token.offset(), chunk, at + 1, token.length());
    int head = arena.allocate(sliceBytes(0) + Integer.BYTES);
    int record = term * RECORD;
    all[record + KEY] = key;
    all[record + HASH] = hash;
    all[record + HEAD] = head;
    all[record + TAIL] = head;
    all[record + END] = head + sliceBytes(0);
    all[record + LAST] = -1;
    count++;
    if (2 * count > slots.length) {
      slots = rehash(all, slots.length * 2);
    } else {
      place(slots, hash, term);
    }
    return term;
  }

  private int[] rehash(int[] all, int size) {
    int[] table = new int[size];
    for (int term = 0; term < count; term++) {
      place(table, all[term * RECORD + HASH], term);
    }
    return table;
  }

  private static void place(int[] table, int hash, int term) {
    int mask = table.length - 1;
    int slot = hash & mask;
    while (table[slot] != 0) {
      slot = (slot + 1) & mask;
    }
    table[slot] = term + 1;
  }

  /** The terms in the order of their tokens, shorter ones first; no writer is left. */
  int[] byKey() {
    int[] terms = new int[count];
    long[] heads = new long[count];
    Slice left = new Slice();
    Slice right = new Slice();
    for (int term = 0; term < count; term++) {
      terms[term] = term;
      heads[term] = viewKey(term, left).head();
    }
    NumberSort.sort(
        terms,
        count,
        (a, b) -> {
          int byHead = Long.compareUnsigned(heads[a], heads[b]);
          return byHead != 0 ? byHead : viewKey(a, left).compareBytes(viewKey(b, right));
        });
    return terms;
  }

  /** Points a slice at a token's bytes, its length in front. */
  Slice viewKey(int term, Slice target) {
    int key = records[term * RECORD + KEY];
    byte[] chunk = arena.chunk(key);
    int at = ByteArena.offset(key);
    return target.set(chunk, at, 1 + (chunk[at] & 0xFF));
  }

  /** About how many postings a term has. */
  int postings(int term) {
    return records[term * RECORD + COUNT];
  }

  /** The chain of a term, from its first posting. */
  Chain chain(int term) {
    return new Chain(arena, records[term * RECORD + HEAD]);
  }
}
