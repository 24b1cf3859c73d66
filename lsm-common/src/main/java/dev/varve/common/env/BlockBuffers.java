package dev.varve.common.env;

import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Native memory that begins where a block does, as direct reads and writes need it: as many buffers
 * as there ever were of these at the same moment, at most one for each thread that does so. They
 * are kept, since native memory that is dropped waits for a collection of the heap. Thread-safe.
 */
@SeamImplementation
final class BlockBuffers {
  /** As long as the writes of component files mostly are. */
  static final int BUFFER_BYTES = 512 << 10;

  private final ConcurrentLinkedQueue<ByteBuffer> free = new ConcurrentLinkedQueue<>();

  /** An empty buffer, which the caller gives back. */
  ByteBuffer take() {
    ByteBuffer buffer = free.poll();
    return buffer == null
        ? ByteBuffer.allocateDirect(BUFFER_BYTES + FileSystem.DIRECT_BLOCK_BYTES)
            .alignedSlice(FileSystem.DIRECT_BLOCK_BYTES)
            .slice(0, BUFFER_BYTES)
        : buffer.clear();
  }

  /** Bytes of the whole blocks that have so many bytes. */
  static long blocks(long bytes) {
    return (bytes + FileSystem.DIRECT_BLOCK_BYTES - 1) & -FileSystem.DIRECT_BLOCK_BYTES;
  }

  void giveBack(ByteBuffer buffer) {
    free.add(buffer);
  }
}
