package dev.varve.common.filter;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Says of nearly every key that memory components lack that they lack it, for one cache line
 * instead of a descent. It never says so of a key that was added. Grows to a byte and a half for
 * each expected key with the first key that is added, and no further; more keys than expected make
 * it say "maybe" more often. Thread-safe for any mix of adds and questions.
 *
 * <p>Implementation note. All bits of a key lie in one word, so that they are set in one atomic
 * step: of two writers of the same word neither loses a bit. With five keys to a word and four bits
 * a key, less than one absent key in fifty is let through.
 */
public final class MemoryFilter {
  private static final int BITS_PER_KEY = 12;

  /** Bits of a position in a word. */
  private static final int POSITION_BITS = 6;

  private static final long MOST_WORDS = 1 << 26;

  private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle WORDS;

  static {
    try {
      WORDS = MethodHandles.lookup().findVarHandle(MemoryFilter.class, "words", long[].class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final long expectedKeys;
  private final int wordCount;

  /** Null until the first key is added. */
  private volatile long @Nullable [] words;

  /** A filter without keys. */
  public MemoryFilter(long expectedKeys) {
    if (expectedKeys < 1) {
      throw new IllegalArgumentException(expectedKeys + " keys expected, which is below 1");
    }
    this.expectedKeys = expectedKeys;
    long wanted = Math.min(MOST_WORDS, Math.max(1, expectedKeys * BITS_PER_KEY / Long.SIZE));
    this.wordCount = Math.toIntExact(wanted);
  }

  /** Adds the hash of a key; to be called before the key can be found. */
  public void add(long hash) {
    long[] present = words;
    long[] target = present != null ? present : firstWords();
    int index = index(hash);
    long bits = bits(hash);
    if (((long) ELEMENT.getOpaque(target, index) & bits) != bits) {
      ELEMENT.getAndBitwiseOr(target, index, bits);
    }
  }

  /** False when no key with this hash was added; true for all that were, and some others. */
  public boolean mightContain(long hash) {
    long[] present = words;
    if (present == null) {
      return false;
    }
    long bits = bits(hash);
    return ((long) ELEMENT.getAcquire(present, index(hash)) & bits) == bits;
  }

  /** Has the processor fetch what decides about a hash: a number that depends on it. */
  public int prefetch(long hash) {
    long[] present = words;
    return present == null ? 0 : (int) (long) ELEMENT.getOpaque(present, index(hash));
  }

  /** For how many keys it was made. */
  public long expectedKeys() {
    return expectedKeys;
  }

  /** Bytes of heap that the filter holds. */
  public long usedBytes() {
    return words == null ? 0 : (long) wordCount * Long.BYTES;
  }

  private long[] firstWords() {
    long[] fresh = new long[wordCount];
    long[] earlier = (long[]) WORDS.compareAndExchange(this, null, fresh);
    return earlier != null ? earlier : fresh;
  }

  /** The upper half of the hash, scaled. */
  private int index(long hash) {
    return (int) (((hash >>> Integer.SIZE) * wordCount) >>> Integer.SIZE);
  }

  /** Shifts take the lowest bits of a distance only. */
  private static long bits(long hash) {
    return 1L << hash
        | 1L << (hash >>> POSITION_BITS)
        | 1L << (hash >>> (2 * POSITION_BITS))
        | 1L << (hash >>> (3 * POSITION_BITS));
  }
}
