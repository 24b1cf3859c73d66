package dev.varve.benchmarks.store;

import java.nio.ByteBuffer;

/**
 * Bytes of the caller's that every key and value of a scan is copied to, so that all stores hand
 * out rows at the same price. With assertions on it keeps a digest of everything that was read, for
 * tests. Confined to one thread.
 */
final class RowBuffer {
  private byte[] bytes = new byte[4096];
  private long digest;

  /** A buffer of at least a length. */
  byte[] atLeast(int length) {
    if (bytes.length < length) {
      bytes = new byte[length];
    }
    return bytes;
  }

  /** Copies a key or value. */
  void take(byte[] source, int offset, int length) {
    System.arraycopy(source, offset, atLeast(length), 0, length);
    saw(bytes, 0, length);
  }

  /** Copies what remains in a buffer. */
  void take(ByteBuffer source) {
    int length = source.remaining();
    source.get(source.position(), atLeast(length), 0, length);
    saw(bytes, 0, length);
  }

  /** Notes a key or value that lies in other bytes of the caller's. */
  void saw(byte[] read, int offset, int length) {
    assert note(read, offset, length);
  }

  private boolean note(byte[] read, int offset, int length) {
    digest = digest(digest, read, offset, length);
    return true;
  }

  /** Goes on with a digest; the length is in it, so that bytes cannot move between two reads. */
  static long digest(long before, byte[] read, int offset, int length) {
    long after = 31 * before + length;
    for (int i = 0; i < length; i++) {
      after = 31 * after + read[offset + i];
    }
    return after;
  }

  /** Digest of all keys and values so far; 0 when assertions are off. */
  long digest() {
    return digest;
  }
}
