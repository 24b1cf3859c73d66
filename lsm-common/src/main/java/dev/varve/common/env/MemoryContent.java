package dev.varve.common.env;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a file, in memory. What was never written, and what was written as zeros where
 * nothing was, takes no memory: a log allocates its segments so. Thread-safe only under the lock of
 * whoever has it.
 */
final class MemoryContent {
  private static final int BLOCK_BYTES = 1 << 16;

  private final Map<Long, byte[]> blocks = new HashMap<>();
  private long size;

  long size() {
    return size;
  }

  /** As {@link StorageFile#read}. */
  int read(long position, byte[] target, int offset, int length) {
    int count = (int) Math.max(0, Math.min(length, size - position));
    for (int done = 0; done < count; ) {
      long at = position + done;
      int start = (int) (at % BLOCK_BYTES);
      int part = Math.min(count - done, BLOCK_BYTES - start);
      byte @Nullable [] block = blocks.get(at / BLOCK_BYTES);
      for (int i = 0; i < part; i++) {
        target[offset + done + i] = block == null ? 0 : block[start + i];
      }
      done += part;
    }
    return count;
  }

  /** As {@link StorageFile#write}. */
  void write(long position, byte[] source, int offset, int length) {
    for (int done = 0; done < length; ) {
      long at = position + done;
      int start = (int) (at % BLOCK_BYTES);
      int part = Math.min(length - done, BLOCK_BYTES - start);
      byte @Nullable [] block = blocks.get(at / BLOCK_BYTES);
      if (block == null && !zeros(source, offset + done, part)) {
        block = new byte[BLOCK_BYTES];
        blocks.put(at / BLOCK_BYTES, block);
      }
      if (block != null) {
        System.arraycopy(source, offset + done, block, start, part);
      }
      done += part;
    }
    size = Math.max(size, position + length);
  }

  private static boolean zeros(byte[] source, int offset, int length) {
    for (int i = 0; i < length; i++) {
      if (source[offset + i] != 0) {
        return false;
      }
    }
    return true;
  }

  /** Cuts it; what is written behind the cut later begins as zeros. */
  void truncate(long newSize) {
    blocks.keySet().removeIf(block -> block * BLOCK_BYTES >= newSize);
    byte @Nullable [] last = blocks.get(newSize / BLOCK_BYTES);
    if (last != null) {
      Arrays.fill(last, (int) (newSize % BLOCK_BYTES), BLOCK_BYTES, (byte) 0);
    }
    size = newSize;
  }
}
