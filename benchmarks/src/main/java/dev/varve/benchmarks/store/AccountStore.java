package dev.varve.benchmarks.store;

import dev.varve.benchmarks.child.BenchmarkException;
import java.nio.ByteBuffer;

/** Accounts, each a key of eight bytes with a balance of eight. Thread-safe. */
public interface AccountStore extends AutoCloseable {
  /** Puts the accounts from 0 on, with a balance; the store has none. */
  void load(long accounts, long balance) throws BenchmarkException;

  /**
   * Takes from each of the first half of some accounts, and gives to each of the second, in one
   * transaction that reads each balance before it writes it.
   *
   * @param accounts an even number of different ones, ascending
   * @return false when the store refused it because of another transaction: nothing was done
   */
  boolean transfer(long[] accounts, long amount) throws BenchmarkException;

  /** The sum of all balances as of one moment, as the store says. */
  long sum() throws BenchmarkException;

  @Override
  void close() throws BenchmarkException;

  /** The key of an account, or a balance. */
  static byte[] bytes(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  /** The number of a key or balance. */
  static long number(byte[] bytes) {
    return ByteBuffer.wrap(bytes).getLong();
  }

  /** What the number-th of some accounts has afterwards. */
  static byte[] changed(byte[] balance, int number, int accounts, long amount) {
    return bytes(number(balance) + (number < accounts / 2 ? -amount : amount));
  }
}
