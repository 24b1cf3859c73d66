package dev.varve.btree.memory;

import static dev.varve.btree.memory.ArenaLayout.ALIGNMENT;
import static dev.varve.btree.memory.ArenaLayout.CHUNK_SHIFT;
import static dev.varve.btree.memory.ArenaLayout.KEY;
import static dev.varve.btree.memory.ArenaLayout.KEY_LENGTH;
import static dev.varve.btree.memory.ArenaLayout.MAX_CHUNKS;
import static dev.varve.btree.memory.ArenaLayout.OFFSET_MASK;
import static dev.varve.btree.memory.ArenaLayout.VALUE_LENGTH;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.HeapRegions;
import dev.varve.common.bytes.Slice;
import dev.varve.common.format.Entry;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Where a tree in memory keeps its entries: byte arrays that only grow. An entry never changes once
 * its address is known to anyone but its writer, and never spans two chunks.
 *
 * <p>Thread-safe. Room is taken with one atomic addition to {@code position}; only the thread that
 * finds the chunk full takes the lock. Reading needs an address that was read with a happens-before
 * edge from its writer, which the tree gives by validating a node's version before it follows an
 * address found there.
 */
public final class EntryArena {
  /** No address of an entry. */
  public static final int NO_ADDRESS = ArenaLayout.NO_ADDRESS;

  /** Size of the first chunks, and the unit in which later ones grow up to the largest. */
  private static final int SMALLEST_CHUNK = 1 << 16;

  /** Where the header of an array ends. */
  private static final int ARRAY_HEADER_BYTES = 16;

  /** What addresses reach. */
  private static final int MOST_CHUNK_BYTES = (OFFSET_MASK + 1) * ALIGNMENT;

  private static final int OF_THIS_HEAP = largestChunk(HeapRegions.mostBytes());

  /** A longer entry gets a chunk of its own, so that little of a shared chunk is left over. */
  private static final int LARGEST_SHARED = 1 << 17;

  private static final int CACHE_LINE = 64;

  /** Touching stops here: a long entry is fetched ahead by the processor once it is copied. */
  private static final int MOST_TOUCHED = 256;

  private final ReentrantLock growing = new ReentrantLock();

  /**
   * Number of the chunk that is being filled in the upper half, bytes taken from it in the lower;
   * more than its length once it is full. Changed by atomic addition, or under {@code growing}.
   */
  private final PaddedCounter position = new PaddedCounter();

  /** The table is replaced when it grows; a chunk in it never is. Written under {@code growing}. */
  private volatile byte[][] chunks = new byte[8][];

  @GuardedBy("growing")
  private int chunkCount;

  /** Written under {@code growing}. */
  private volatile long heldBytes;

  private final int largestChunk;

  /** An arena that holds no memory yet. */
  public EntryArena() {
    this(OF_THIS_HEAP);
  }

  /** One whose chunks have so many bytes in the end. */
  EntryArena(int largestChunk) {
    this.largestChunk = largestChunk;
    // The first put finds this chunk full: an index that is never written to holds no memory.
    chunks[0] = Bytes.EMPTY;
    chunkCount = 1;
  }

  /**
   * Just so long that G1 gives it whole regions, in which it lies for good beside the array's own
   * header: one of 4 MiB, or of 2, or two of 1. G1 copies what takes no more than half of a longer
   * region.
   */
  static int largestChunk(int regionBytes) {
    int regions = regionBytes == MOST_CHUNK_BYTES ? MOST_CHUNK_BYTES : MOST_CHUNK_BYTES / 2;
    return regions - ARRAY_HEADER_BYTES;
  }

  /** Bytes of heap in chunks. */
  public long heldBytes() {
    return heldBytes;
  }

  /** Copies an entry and returns its address. */
  public int append(Entry entry) {
    Slice key = entry.key();
    Slice value = entry.value();
    int bytes = Math.addExact(Math.addExact(KEY, key.length()), value.length());
    int size = Math.addExact(bytes, ALIGNMENT - 1) & -ALIGNMENT;
    long place = size <= LARGEST_SHARED ? takeShared(size) : takeOwn(size);
    int index = (int) (place >>> Integer.SIZE);
    int at = (int) place;
    byte[] chunk = chunks[index];
    Bytes.putInt(chunk, at + KEY_LENGTH, key.length() << 1 | (entry.antimatter() ? 1 : 0));
    Bytes.putInt(chunk, at + VALUE_LENGTH, value.length());
    System.arraycopy(key.bytes(), key.offset(), chunk, at + KEY, key.length());
    int valueAt = at + KEY + key.length();
    System.arraycopy(value.bytes(), value.offset(), chunk, valueAt, value.length());
    return index << CHUNK_SHIFT | at / ALIGNMENT;
  }

  private long takeShared(int size) {
    while (true) {
      long place = position.getAndAdd(size);
      if (hasRoom(place, size)) {
        return place;
      }
      growing.lock();
      try {
        if (!hasRoom(position.get(), size)) {
          int index = addChunk(Math.max(nextChunkBytes(), size));
          position.set((long) index << Integer.SIZE | size);
          return (long) index << Integer.SIZE;
        }
      } finally {
        growing.unlock();
      }
    }
  }

  /** A share of what is held, so that one entry more never makes a small component a large one. */
  private int nextChunkBytes() {
    long share = heldBytes / 8 & -SMALLEST_CHUNK;
    return (int) Math.max(SMALLEST_CHUNK, Math.min(share, largestChunk));
  }

  private boolean hasRoom(long place, int size) {
    return (int) place + size <= chunks[(int) (place >>> Integer.SIZE)].length;
  }

  private long takeOwn(int size) {
    growing.lock();
    try {
      return (long) addChunk(size) << Integer.SIZE;
    } finally {
      growing.unlock();
    }
  }

  @GuardedBy("growing")
  private int addChunk(int length) {
    if (chunkCount == MAX_CHUNKS) {
      throw new IllegalStateException(
          "memory component with " + heldBytes + " bytes was not sealed in time");
    }
    byte[][] table = chunks;
    if (chunkCount == table.length) {
      table = Arrays.copyOf(table, 2 * table.length);
    }
    table[chunkCount] = new byte[length];
    chunks = table;
    long held = heldBytes;
    heldBytes = held + length;
    return chunkCount++;
  }

  /** Points an entry at the bytes at an address, without copying them. */
  public void view(int address, Entry entry) {
    byte[] chunk = chunk(address);
    int at = offset(address);
    int keyField = Bytes.getInt(chunk, at + KEY_LENGTH);
    int keyLength = keyField >>> 1;
    entry.key().set(chunk, at + KEY, keyLength);
    entry.value().set(chunk, at + KEY + keyLength, Bytes.getInt(chunk, at + VALUE_LENGTH));
    entry.antimatter((keyField & 1) != 0);
  }

  /**
   * Reads a byte of each line of some entries, one entry independent of the other, so that the
   * processor fetches many at once. A cursor that meets them in key order, which is no order in
   * memory, would wait for one after the other.
   *
   * @return a number that depends on the bytes, so that the reads are not left out
   */
  public int prefetch(int[] addresses, int from, int to) {
    int sum = prefetchKeys(addresses, from, to);
    for (int i = from; i < to; i++) {
      byte[] chunk = chunk(addresses[i]);
      int at = offset(addresses[i]);
      int length =
          (Bytes.getInt(chunk, at + KEY_LENGTH) >>> 1) + Bytes.getInt(chunk, at + VALUE_LENGTH);
      int end = at + KEY + Math.min(length, MOST_TOUCHED);
      for (int line = at + CACHE_LINE; line < end; line += CACHE_LINE) {
        sum += chunk[line];
      }
      // Entries do not begin with a line, so the last step may end one line short.
      sum += chunk[end - 1];
    }
    return sum;
  }

  /**
   * Reads the first line of some entries, as {@link #prefetch} does.
   *
   * @return a number that depends on the bytes, so that the reads are not left out
   */
  int prefetchKeys(int[] addresses, int from, int to) {
    int sum = 0;
    for (int i = from; i < to; i++) {
      sum += chunk(addresses[i])[offset(addresses[i])];
    }
    return sum;
  }

  /** Copies the bytes at an address into an entry. */
  public void copy(int address, Entry entry) {
    byte[] chunk = chunk(address);
    int at = offset(address);
    int keyField = Bytes.getInt(chunk, at + KEY_LENGTH);
    int keyLength = keyField >>> 1;
    int valueLength = Bytes.getInt(chunk, at + VALUE_LENGTH);
    entry.key().copyOf(chunk, at + KEY, keyLength);
    entry.value().copyOf(chunk, at + KEY + keyLength, valueLength);
    entry.antimatter((keyField & 1) != 0);
  }

  /** Points a slice at the key at an address. */
  public void viewKey(int address, Slice key) {
    byte[] chunk = chunk(address);
    int at = offset(address);
    key.set(chunk, at + KEY, Bytes.getInt(chunk, at + KEY_LENGTH) >>> 1);
  }

  /** The head of the key at an address, after its first {@code skip} bytes. */
  long head(int address, int skip) {
    byte[] chunk = chunk(address);
    int at = offset(address);
    int length = Bytes.getInt(chunk, at + KEY_LENGTH) >>> 1;
    return Bytes.head(chunk, at + KEY + skip, length - skip);
  }

  /** How many bytes the keys at two addresses have in common at their beginnings. */
  int commonPrefix(int left, int right) {
    byte[] leftChunk = chunk(left);
    byte[] rightChunk = chunk(right);
    int leftAt = offset(left);
    int rightAt = offset(right);
    int leftLength = Bytes.getInt(leftChunk, leftAt + KEY_LENGTH) >>> 1;
    int rightLength = Bytes.getInt(rightChunk, rightAt + KEY_LENGTH) >>> 1;
    int leftKey = leftAt + KEY;
    int rightKey = rightAt + KEY;
    int mismatch =
        Arrays.mismatch(
            leftChunk, leftKey, leftKey + leftLength, rightChunk, rightKey, rightKey + rightLength);
    return mismatch < 0 ? leftLength : mismatch;
  }

  /**
   * Compares the key at an address with another one, when they have {@code skip} bytes and the head
   * after them in common.
   */
  public int compareAfterHead(int address, Slice key, int skip) {
    byte[] chunk = chunk(address);
    int at = offset(address);
    int length = Bytes.getInt(chunk, at + KEY_LENGTH) >>> 1;
    int compared = skip + Long.BYTES;
    if (length <= compared || key.length() <= compared) {
      // One of them ends within the head, where the other has zeros or ends too.
      return Integer.compare(length, key.length());
    }
    return Bytes.compare(
        chunk,
        at + KEY + compared,
        length - compared,
        key.bytes(),
        key.offset() + compared,
        key.length() - compared);
  }

  /** Compares the key at an address with another one. */
  int compare(int address, Slice key) {
    byte[] chunk = chunk(address);
    int at = offset(address);
    int length = Bytes.getInt(chunk, at + KEY_LENGTH) >>> 1;
    return Bytes.compare(chunk, at + KEY, length, key.bytes(), key.offset(), key.length());
  }

  private byte[] chunk(int address) {
    return chunks[address >>> CHUNK_SHIFT];
  }

  private static int offset(int address) {
    return (address & OFFSET_MASK) * ALIGNMENT;
  }
}
