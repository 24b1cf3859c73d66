package dev.varve.benchmarks.store;

import dev.varve.benchmarks.child.BenchmarkException;
import java.util.List;

/**
 * What one thread does with a store. A write that returned is acknowledged at the store's level of
 * durability. Arrays are the caller's again when a call returns: a store that keeps references
 * copies. Confined to one thread, which closes it.
 */
public interface StoreSession extends AutoCloseable {
  /** Inserts or replaces, without asking what was there. */
  void put(byte[] key, byte[] value) throws BenchmarkException;

  /**
   * Inserts or replaces many pairs the fastest way that the store has for it, to fill it where
   * nobody measures; acknowledged together.
   *
   * @param values as many as keys
   */
  default void putAll(List<byte[]> keys, List<byte[]> values) throws BenchmarkException {
    for (int at = 0; at < keys.size(); at++) {
      put(keys.get(at), values.get(at));
    }
  }

  /**
   * Inserts when the key is absent.
   *
   * @return whether it was
   */
  boolean insert(byte[] key, byte[] value) throws BenchmarkException;

  /**
   * Deletes a key that may be absent.
   *
   * @return whether it was there, true where the store does not say
   */
  boolean delete(byte[] key) throws BenchmarkException;

  /**
   * Reads a value into bytes of the caller's: a buffer of the session's, or fresh ones where the
   * store has no other way.
   *
   * @return its length, -1 when the key is absent
   */
  int get(byte[] key) throws BenchmarkException;

  /**
   * Visits pairs in order of keys, and touches every key and value as a user of the store would.
   *
   * @param from where it starts, inclusive; the next key in the direction when it is absent
   * @return pairs visited
   * @throws UnsupportedOperationException when the store's cursors do not go that way
   */
  int scan(byte[] from, int limit, ScanDirection direction) throws BenchmarkException;

  @Override
  void close() throws BenchmarkException;
}
