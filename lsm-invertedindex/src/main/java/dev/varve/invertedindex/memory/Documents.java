package dev.varve.invertedindex.memory;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.KeyHash;
import dev.varve.common.bytes.Slice;
import java.util.Arrays;

/**
 * The documents of a memory component, numbered as they come: each put of a primary key is a new
 * document, and the one before is dead from then on, though searches still come by it. Written by
 * one thread at a time, read by any number; {@link #count} is what publishes.
 */
final class Documents {
  /** No document. */
  static final int NONE = -1;

  /** It is in the index. */
  static final byte LIVE = 1;

  /** Antimatter is what the index holds for its primary key. */
  static final byte DELETED = 2;

  /** A later document has its primary key. */
  static final byte REPLACED = 3;

  /** Integers of a record: address of the key, hash, number of distinct tokens. */
  private static final int RECORD = 3;

  private static final int KEY = 0;
  private static final int HASH = 1;
  private static final int TOKENS = 2;

  private final ByteArena arena;

  /** Ordinal of the newest document of a primary key plus one, or 0. */
  private volatile int[] slots = new int[32];

  private volatile int[] records = new int[16 * RECORD];
  private volatile byte[] states = new byte[16];

  /** Number of distinct primary keys. */
  private int keys;

  private int added;
  private volatile int count;

  Documents(ByteArena arena) {
    this.arena = arena;
  }

  /** Number of published documents, dead ones included. */
  int count() {
    return count;
  }

  /** Lets readers see everything that was done until now. */
  void publish() {
    count = added;
  }

  /** Bytes of heap in tables. */
  long heldBytes() {
    return (long) Integer.BYTES * (slots.length + records.length) + states.length;
  }

  /** The newest document of a primary key, given the key of its own entry. */
  int find(Slice key) {
    return find(key, (int) KeyHash.hash(key));
  }

  private int find(Slice key, int hash) {
    int[] table = slots;
    int[] all = records;
    int mask = table.length - 1;
    for (int slot = hash & mask; ; slot = (slot + 1) & mask) {
      int ordinal = table[slot] - 1;
      if (ordinal < 0) {
        return NONE;
      }
      int record = ordinal * RECORD;
      if (record < all.length && all[record + HASH] == hash && same(all[record + KEY], key)) {
        return ordinal;
      }
    }
  }

  private boolean same(int address, Slice key) {
    byte[] chunk = arena.chunk(address);
    int at = ByteArena.offset(address) + Integer.BYTES;
    int length = key.length();
    return address != ByteArena.NONE
        && at + length <= chunk.length
        && Bytes.getInt(chunk, at - Integer.BYTES) == length
        && Arrays.equals(chunk, at, at + length, key.bytes(), key.offset(), key.offset() + length);
  }

  /** Adds a document in a state; one of the same primary key is replaced. */
  int add(Slice key, byte state) {
    int ordinal = added++;
    int hash = (int) KeyHash.hash(key);
    int replaced = find(key, hash);
    int address = replaced == NONE ? copy(key) : records[replaced * RECORD + KEY];
    int[] all = records;
    if ((ordinal + 1) * RECORD > all.length) {
      records = all = Arrays.copyOf(all, 2 * all.length);
      states = Arrays.copyOf(states, 2 * states.length);
    }
    all[ordinal * RECORD + KEY] = address;
    all[ordinal * RECORD + HASH] = hash;
    states[ordinal] = state;
    if (replaced != NONE) {
      states[replaced] = REPLACED;
    } else if (2 * ++keys > slots.length) {
      int[] table = new int[2 * slots.length];
      for (int i = 0; i < ordinal; i++) {
        if (states[i] != REPLACED) {
          place(table, i);
        }
      }
      slots = table;
    }
    place(slots, ordinal);
    return ordinal;
  }

  private int copy(Slice key) {
    int address = arena.allocate(Integer.BYTES + key.length());
    byte[] chunk = arena.chunk(address);
    int at = ByteArena.offset(address);
    Bytes.putInt(chunk, at, key.length());
    System.arraycopy(key.bytes(), key.offset(), chunk, at + Integer.BYTES, key.length());
    return address;
  }

  /** Puts a document where the one that it replaces stands, or into a free slot. */
  private void place(int[] table, int ordinal) {
    int[] all = records;
    int hash = all[ordinal * RECORD + HASH];
    int address = all[ordinal * RECORD + KEY];
    int mask = table.length - 1;
    int slot = hash & mask;
    while (table[slot] != 0 && all[(table[slot] - 1) * RECORD + KEY] != address) {
      slot = (slot + 1) & mask;
    }
    table[slot] = ordinal + 1;
  }

  byte state(int ordinal) {
    return states[ordinal];
  }

  void setState(int ordinal, byte state) {
    assert states[ordinal] != REPLACED : ordinal;
    states[ordinal] = state;
  }

  /** Number of distinct tokens of a document. */
  int tokens(int ordinal) {
    return records[ordinal * RECORD + TOKENS];
  }

  void setTokens(int ordinal, int tokens) {
    records[ordinal * RECORD + TOKENS] = tokens;
  }

  /** Whether two documents have the same primary key. */
  boolean samePrimaryKey(int left, int right) {
    int[] all = records;
    return all[left * RECORD + KEY] == all[right * RECORD + KEY];
  }

  /** Points a slice at the key of a document's own entry. */
  Slice viewKey(int ordinal, Slice target) {
    int address = records[ordinal * RECORD + KEY];
    byte[] chunk = arena.chunk(address);
    int at = ByteArena.offset(address);
    return target.set(chunk, at + Integer.BYTES, Bytes.getInt(chunk, at));
  }

  /** Orders documents by primary key. */
  int compare(int left, int right) {
    int[] all = records;
    int leftAddress = all[left * RECORD + KEY];
    int rightAddress = all[right * RECORD + KEY];
    byte[] leftChunk = arena.chunk(leftAddress);
    byte[] rightChunk = arena.chunk(rightAddress);
    int leftAt = ByteArena.offset(leftAddress);
    int rightAt = ByteArena.offset(rightAddress);
    return Bytes.compare(
        leftChunk,
        leftAt + Integer.BYTES,
        Bytes.getInt(leftChunk, leftAt),
        rightChunk,
        rightAt + Integer.BYTES,
        Bytes.getInt(rightChunk, rightAt));
  }
}
