package dev.varve.benchmarks.kv;

import dev.varve.common.bytes.Bytes;
import java.util.SplittableRandom;

/**
 * Keys and values as functions of a record's number. Different numbers have different keys, so a
 * load needs no check, and numbers above the last are absent. Thread-safe: no state that changes.
 */
final class Records {
  static final int KEY_BYTES = 16;

  private static final long STEP = 0x9E3779B97F4A7C15L;

  /** Few enough to stay in the caches next to the processor: to make a value shall cost nothing. */
  private static final int BLOCK_BYTES = 1 << 16;

  /** Half of each of these is random; a compressor can get rid of the other half. */
  private static final int RUN_BYTES = 32;

  private final KeyOrder order;
  private final long seed;
  private final byte[] block;

  Records(KeyOrder order, long seed) {
    this.order = order;
    this.seed = seed;
    this.block = new byte[BLOCK_BYTES];
    SplittableRandom random = new SplittableRandom(seed);
    for (int at = 0; at < BLOCK_BYTES; at++) {
      block[at] = at / RUN_BYTES % 2 == 0 ? (byte) random.nextInt(256) : (byte) 'v';
    }
  }

  /** Writes the key of a record. */
  void key(long number, byte[] key) {
    assert key.length == KEY_BYTES : key.length;
    long head = order == KeyOrder.RANDOM ? scramble(number + seed) : number;
    Bytes.putLongBigEndian(key, 0, head);
    Bytes.putLongBigEndian(key, 8, scramble(head + STEP));
  }

  /**
   * Writes a value of a record, a window into a block that was made before and goes on at its
   * begin: what is measured is the store, not a generator.
   *
   * @param version tells values of one record from each other
   */
  void value(long number, long version, byte[] value) {
    int windows = BLOCK_BYTES - Math.min(value.length, BLOCK_BYTES / 2);
    int from = (int) (((scramble(number + version * STEP) >>> 32) * windows) >>> 32);
    int done = 0;
    while (done < value.length) {
      int copied = Math.min(value.length - done, BLOCK_BYTES - from);
      System.arraycopy(block, from, value, done, copied);
      done += copied;
      from = 0;
    }
  }

  /** A seed of what is chosen at random in a round of work. */
  long choices(long round) {
    return scramble(seed + round);
  }

  /** The last steps of SplitMix64, which map 64 bits to 64 bits one to one. */
  static long scramble(long number) {
    long mixed = (number ^ (number >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }
}
