package dev.varve.common.format;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.KeyHash;
import dev.varve.common.bytes.Slice;
import java.util.Arrays;

/**
 * Keys that are looked up together, and what was found of each. Keys are added in ascending order;
 * an index then looks up as many of them as it may ({@link #begin}), and says which. Buffers are
 * kept for the next batch. Confined to its owner.
 *
 * <p>What is found is copied here, since components are swept one after the other and answers are
 * given in the order of the keys. So a lookup of many keys ends early where a component was found
 * to have {@link #MOST_FOUND_BYTES}, and is called again for the rest.
 */
public final class LookupBatch {
  /**
   * Once so many bytes of values were found in a component, or in a level, further keys wait for
   * the next lookup.
   */
  public static final int MOST_FOUND_BYTES = 1 << 20;

  private static final byte NOT_FOUND = 0;
  private static final byte IN_MEMORY = 1;
  private static final byte ON_DISK = 2;
  private static final byte ANTIMATTER = 4;

  private byte[] keys = new byte[1 << 10];

  /** Where each key begins, and behind them where the next one will. */
  private int[] begins = new int[1 << 5];

  private long[] hashes = new long[1 << 5];
  private int size;

  /** What was looked up last. */
  private int from;

  private int to;

  private byte[] states = new byte[1 << 5];

  /** Where in its component a key was found, in kinds that say it. */
  private long[] positions = new long[1 << 5];

  private byte[] values = Bytes.EMPTY;
  private int[] valueBegins = new int[1 << 5];
  private int[] valueLengths = new int[1 << 5];
  private int valueBytes;

  /** Those of them that were found before the component was asked whose turn it is. */
  private int valueBytesBefore;

  /** Keys that no component was found to have so far, ascending. */
  private int[] pending = new int[1 << 5];

  private int pendingCount;

  /** Those of them that a component is asked for. */
  private int[] asked = new int[1 << 5];

  private int askedCount;

  /** Up to which flush components need not be asked. */
  private long knownFlush;

  /** Whether one was left out for that in the last lookup. */
  private boolean olderLeftOut;

  private boolean expectsAll;

  private final Slice view = new Slice();

  /** A batch of no keys. */
  public LookupBatch() {}

  // ---- What is looked up, and what was found

  /**
   * Has lookups leave out components that hold no flush after one, where the index can: the caller
   * knows all that they have to say. Holds for all further lookups.
   */
  public void leaveOut(long newKnownFlush) {
    assert newKnownFlush >= 0 : newKnownFlush;
    knownFlush = newKnownFlush;
  }

  /**
   * Whether the last lookup left components out, so that a key that was not found may be in those,
   * as it was then.
   */
  public boolean olderLeftOut() {
    return olderLeftOut;
  }

  /**
   * Tells lookups that nearly all keys are there, so that a filter of the oldest component tells
   * nothing new. Holds for all further lookups.
   */
  public void expectAll() {
    expectsAll = true;
  }

  /** Whether nearly all keys are there. */
  public boolean expectsAll() {
    return expectsAll;
  }

  /** Forgets all keys and what was found. */
  public void clear() {
    size = 0;
    from = 0;
    to = 0;
    pendingCount = 0;
    askedCount = 0;
  }

  /** Adds a key, which is above all before it; its bytes are copied. */
  public void add(Slice key) {
    assert size == 0 || key(size - 1, view).compareBytes(key) < 0 : "keys are not ascending";
    int begin = begins[size];
    int end = Math.addExact(begin, key.length());
    if (end > keys.length) {
      keys = Arrays.copyOf(keys, Math.max(end, (int) Math.min(Integer.MAX_VALUE - 8L, 2L * end)));
    }
    if (size + 1 == begins.length) {
      grow();
    }
    System.arraycopy(key.bytes(), key.offset(), keys, begin, key.length());
    hashes[size] = KeyHash.hash(key);
    size++;
    begins[size] = end;
  }

  private void grow() {
    int length = 2 * begins.length;
    begins = Arrays.copyOf(begins, length);
    hashes = Arrays.copyOf(hashes, length);
    states = Arrays.copyOf(states, length);
    positions = Arrays.copyOf(positions, length);
    valueBegins = Arrays.copyOf(valueBegins, length);
    valueLengths = Arrays.copyOf(valueLengths, length);
    pending = Arrays.copyOf(pending, length);
    asked = Arrays.copyOf(asked, length);
  }

  /** Number of keys. */
  public int size() {
    return size;
  }

  /** Points a slice at a key; returns it. */
  public Slice key(int position, Slice key) {
    return key.set(keys, begins[position], begins[position + 1] - begins[position]);
  }

  /** The first of the keys that were looked up last. */
  public int from() {
    return from;
  }

  /** Behind the last of the keys that were looked up; {@link #size} when no key is left. */
  public int to() {
    return to;
  }

  /** Whether a component had the key, of those that were looked up last; may be as antimatter. */
  public boolean isFound(int position) {
    assert position >= from && position < to : "not looked up last: " + position;
    return states[position] != NOT_FOUND;
  }

  /** Whether its newest state was found in a memory component. */
  public boolean isFoundInMemory(int position) {
    return (states[position] & IN_MEMORY) != 0;
  }

  /**
   * Points an entry at the newest state of a key that was found; it holds until the next lookup.
   */
  public void view(int position, Entry entry) {
    assert isFound(position);
    key(position, entry.key());
    entry.value().set(values, valueBegins[position], valueLengths[position]);
    entry.antimatter((states[position] & ANTIMATTER) != 0);
  }

  /**
   * Where in its component a key was found, as {@link EntryCursor#position} says it; for keys found
   * on disk, in kinds that know it.
   */
  public long liesAt(int position) {
    assert isFound(position) && !isFoundInMemory(position) : position;
    return positions[position];
  }

  // ---- Called by the index that looks up

  /** Begins a lookup of all keys that were not looked up; none was found so far. */
  public void begin() {
    from = to;
    to = size;
    valueBytes = 0;
    valueBytesBefore = 0;
    pendingCount = 0;
    olderLeftOut = false;
    for (int position = from; position < to; position++) {
      states[position] = NOT_FOUND;
      pending[pendingCount++] = position;
    }
    askedCount = 0;
  }

  /**
   * Whether a component need not be asked, and neither those behind it; remembers that if so.
   *
   * @param lastFlush the newest flush that it holds
   */
  public boolean leavesOut(long lastFlush) {
    boolean known = lastFlush <= knownFlush;
    olderLeftOut |= known;
    return known;
  }

  /** Number of keys that no component was found to have so far. */
  public int pendingCount() {
    return pendingCount;
  }

  /** The n-th of them. */
  public int pending(int n) {
    return pending[n];
  }

  /** The {@link KeyHash} of a key. */
  public long hash(int position) {
    return hashes[position];
  }

  /** Asks for a key from now on, above those that are asked for already. */
  public void ask(int position) {
    asked[askedCount++] = position;
  }

  /** Number of keys that a component is asked for. */
  public int askedCount() {
    return askedCount;
  }

  /** The n-th of them. */
  public int asked(int n) {
    return asked[n];
  }

  /**
   * A component has a key. The value is copied.
   *
   * @return a mark, to be given back to {@link #retract} if that turns out to be wrong at once
   */
  public int found(int position, Entry entry, Place place) {
    Slice value = entry.value();
    int mark = valueBytes;
    int length = entry.antimatter() ? 0 : value.length();
    int end = Math.addExact(mark, length);
    if (end > values.length) {
      values = Arrays.copyOf(values, (int) Math.min(Integer.MAX_VALUE - 8L, 2L * end));
    }
    System.arraycopy(value.bytes(), value.offset(), values, mark, length);
    valueBegins[position] = mark;
    valueLengths[position] = length;
    valueBytes = end;
    int state = place == Place.MEMORY ? IN_MEMORY : ON_DISK;
    states[position] = (byte) (entry.antimatter() ? state | ANTIMATTER : state);
    return mark;
  }

  /** Leaves the first bytes of a value that was found out of it. */
  public void leaveOutFirst(int position, int bytes) {
    assert valueLengths[position] >= bytes : "a value of " + valueLengths[position] + " bytes";
    valueBegins[position] += bytes;
    valueLengths[position] -= bytes;
  }

  /** A disk component has a key at a place of it; see {@link #liesAt(int)}. */
  public void liesAt(int position, long where) {
    positions[position] = where;
  }

  /** Where a state was found. */
  public enum Place {
    /** In a memory component. */
    MEMORY,
    /** In a disk component. */
    DISK
  }

  /** Takes back what was found last. */
  public void retract(int position, int mark) {
    states[position] = NOT_FOUND;
    valueBytes = mark;
  }

  /**
   * Whether the component whose turn it is was found to have enough: then the keys behind the one
   * that was found last are left for the next lookup, by {@link #endBehind}.
   */
  public boolean isFull() {
    return valueBytes - valueBytesBefore > MOST_FOUND_BYTES;
  }

  /** Leaves the keys behind one for the next lookup. */
  public void endBehind(int position) {
    to = Math.min(to, position + 1);
  }

  /** Asks for no key. */
  public void askNone() {
    askedCount = 0;
  }

  /** Ends the turn of a component: what it was found to have is not pending any more. */
  public void endTurn() {
    int left = 0;
    for (int n = 0; n < pendingCount; n++) {
      int position = pending[n];
      pending[left] = position;
      left += position < to && states[position] == NOT_FOUND ? 1 : 0;
    }
    pendingCount = left;
    askedCount = 0;
    valueBytesBefore = valueBytes;
  }
}
