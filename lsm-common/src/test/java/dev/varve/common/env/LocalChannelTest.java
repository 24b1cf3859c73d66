package dev.varve.common.env;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/**
 * Goal: what the operating system does by halves is finished or reported. Method: a channel that
 * takes and gives as many bytes per call as the test says.
 */
final class LocalChannelTest {
  @Test
  void aShortWriteIsContinuedWhereItStopped() throws Exception {
    ScriptedChannel script = new ScriptedChannel(3, 0, 1, 0, 4);
    new LocalChannel(script).write(5, new byte[] {9, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 1, 8);
    assertArrayEquals(
        new byte[] {0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8}, Arrays.copyOf(script.content, 13));
    assertTrue(script.counts.isEmpty());
  }

  @Test
  void noProgressTwiceIsAnError() {
    ScriptedChannel script = new ScriptedChannel(3, 0, 0, 5);
    IOException stuck =
        assertThrows(IOException.class, () -> new LocalChannel(script).write(0, new byte[8], 0, 8));
    assertEquals("no progress after 3 of 8 bytes", stuck.getMessage());
    assertEquals(1, script.counts.size());
  }

  @Test
  void aFailureInTheMiddleIsTheFirstCause() {
    IOException full = new IOException("No space left on device");
    ScriptedChannel script = new ScriptedChannel(3);
    script.failure = full;
    assertSame(
        full,
        assertThrows(
            IOException.class, () -> new LocalChannel(script).write(0, new byte[8], 0, 8)));
  }

  @Test
  void aShortReadIsContinuedUntilTheEnd() throws Exception {
    ScriptedChannel script = new ScriptedChannel(2, 1, 3, -1);
    for (int i = 0; i < 20; i++) {
      script.content[i] = (byte) i;
    }
    byte[] read = new byte[10];
    assertEquals(6, new LocalChannel(script).read(4, read, 1, 9));
    assertArrayEquals(new byte[] {0, 4, 5, 6, 7, 8, 9, 0, 0, 0}, read);
  }

  static boolean hasAFullDevice() {
    return Files.isWritable(Path.of("/dev/full"));
  }

  @Test
  @EnabledIf("hasAFullDevice")
  void aFullDeviceIsReported() throws Exception {
    try (LocalChannel channel =
        LocalChannel.open(Path.of("/dev/full"), Set.of(StandardOpenOption.WRITE))) {
      assertThrows(IOException.class, () -> channel.write(0, new byte[8], 0, 8));
    }
  }

  /** Completes every call in the caller, as the production channel does, but only by halves. */
  private static final class ScriptedChannel extends AsynchronousFileChannel {
    final byte[] content = new byte[32];
    final Deque<Integer> counts;
    IOException failure;

    ScriptedChannel(Integer... counts) {
      this.counts = new ArrayDeque<>(List.of(counts));
    }

    @Override
    public Future<Integer> read(ByteBuffer target, long position) {
      int count = counts.removeFirst();
      target.put(content, (int) position, Math.max(0, count));
      return CompletableFuture.completedFuture(count);
    }

    @Override
    public Future<Integer> write(ByteBuffer source, long position) {
      if (counts.isEmpty()) {
        return CompletableFuture.failedFuture(failure);
      }
      int count = counts.removeFirst();
      source.get(content, (int) position, count);
      return CompletableFuture.completedFuture(count);
    }

    @Override
    public <A> void read(
        ByteBuffer target, long at, A attached, CompletionHandler<Integer, ? super A> handler) {
      throw new UnsupportedOperationException();
    }

    @Override
    public <A> void write(
        ByteBuffer source, long at, A attached, CompletionHandler<Integer, ? super A> handler) {
      throw new UnsupportedOperationException();
    }

    @Override
    public <A> void lock(
        long at,
        long size,
        boolean shared,
        A attached,
        CompletionHandler<FileLock, ? super A> handler) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Future<FileLock> lock(long position, long size, boolean shared) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long size() {
      return content.length;
    }

    @Override
    public AsynchronousFileChannel truncate(long size) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void force(boolean metaData) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {
      // Nothing is held.
    }
  }
}
