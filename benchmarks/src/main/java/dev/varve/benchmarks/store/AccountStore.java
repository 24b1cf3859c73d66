package dev.varve.benchmarks.store;

import dev.varve.benchmarks.child.BenchmarkException;
import java.nio.ByteBuffer;

/** Accounts, each a key of eight bytes with a balance of eight. Thread-safe. */
public interface AccountStore extends AutoCloseable {
  /** Puts the accounts from 0 on, with a balance; the store has none. */
  void load(long accounts, long balance) throws BenchmarkException;

  /**
   * Takes one from each of the first half of some accounts, and gives one to each of the second, in
   * one transaction that reads each balance before it writes it.
   *
   * @param accounts an even number of different ones, ascending
   * @return false when the store refused it because of another transaction: nothing was done
   */
  boolean transfer(long[] accounts) throws BenchmarkException;

  /**
   * Gives one to each of some accounts in a transaction that stays open, with what it has locked,
   * until what is returned is closed by the same thread, and is taken back then.
   */
  Held hold(long[] accounts) throws BenchmarkException;

  /** The balance of an account, as it was committed last. */
  long balance(long account) throws BenchmarkException;

  /** The sum of all balances as of one moment, as the store says. */
  long sum() throws BenchmarkException;

  @Override
  void close() throws BenchmarkException;

  /** A transaction that is open. */
  @FunctionalInterface
  interface Held extends AutoCloseable {
    @Override
    void close() throws BenchmarkException;
  }

  /** The key of an account, or a balance. */
  static byte[] bytes(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  /** The number of a key or balance. */
  static long number(byte[] bytes) {
    return ByteBuffer.wrap(bytes).getLong();
  }

  /** What the number-th of some accounts has afterwards, of which the first so many give. */
  static byte[] changed(byte[] balance, int number, int giving) {
    return bytes(number(balance) + (number < giving ? -1 : 1));
  }
}
