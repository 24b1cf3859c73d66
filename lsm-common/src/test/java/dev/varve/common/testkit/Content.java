package dev.varve.common.testkit;

import java.util.Arrays;
import java.util.BitSet;

/**
 * The bytes of a simulated file. Copies share chunks until one side writes, so that thousands of
 * crash images of one disk cost little. Guarded by the lock of its file system.
 */
final class Content {
  private static final int CHUNK_BYTES = 4096;

  /** An absent chunk reads as zeros. */
  private byte[][] chunks = new byte[4][];

  /** Chunks that no other content shares. */
  private BitSet owned = new BitSet();

  private long size;

  long size() {
    return size;
  }

  Content copy() {
    Content copy = new Content();
    copy.chunks = chunks.clone();
    copy.size = size;
    owned = new BitSet();
    return copy;
  }

  int read(long position, byte[] target, int offset, int length) {
    int count = (int) Math.max(0, Math.min(length, size - position));
    int done = 0;
    while (done < count) {
      int chunk = Math.toIntExact((position + done) / CHUNK_BYTES);
      int at = (int) ((position + done) % CHUNK_BYTES);
      int part = Math.min(count - done, CHUNK_BYTES - at);
      byte[] bytes = chunk < chunks.length ? chunks[chunk] : null;
      if (bytes == null) {
        Arrays.fill(target, offset + done, offset + done + part, (byte) 0);
      } else {
        System.arraycopy(bytes, at, target, offset + done, part);
      }
      done += part;
    }
    return count;
  }

  void write(long position, byte[] source, int offset, int length) {
    int done = 0;
    while (done < length) {
      int at = (int) ((position + done) % CHUNK_BYTES);
      int part = Math.min(length - done, CHUNK_BYTES - at);
      System.arraycopy(source, offset + done, own(position + done), at, part);
      done += part;
    }
    size = Math.max(size, position + length);
  }

  /** Sets a range, which must lie within the size, to zeros. */
  void clear(long from, long to) {
    assert to <= size;
    long at = from;
    while (at < to) {
      long end = Math.min(to, (at / CHUNK_BYTES + 1) * CHUNK_BYTES);
      int chunk = Math.toIntExact(at / CHUNK_BYTES);
      if (chunk < chunks.length && chunks[chunk] != null) {
        int start = (int) (at % CHUNK_BYTES);
        Arrays.fill(own(at), start, start + (int) (end - at), (byte) 0);
      }
      at = end;
    }
  }

  /** Cuts, or lengthens with zeros. */
  void resize(long newSize) {
    if (newSize < size) {
      clear(newSize, size);
    }
    size = newSize;
  }

  byte[] bytes(long from, int length) {
    byte[] bytes = new byte[length];
    read(from, bytes, 0, length);
    return bytes;
  }

  private byte[] own(long position) {
    int chunk = Math.toIntExact(position / CHUNK_BYTES);
    if (chunk >= chunks.length) {
      chunks = Arrays.copyOf(chunks, Math.max(chunk + 1, chunks.length * 2));
    }
    if (chunks[chunk] == null) {
      chunks[chunk] = new byte[CHUNK_BYTES];
      owned.set(chunk);
    } else if (!owned.get(chunk)) {
      chunks[chunk] = chunks[chunk].clone();
      owned.set(chunk);
    }
    return chunks[chunk];
  }
}
