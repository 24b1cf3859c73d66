package dev.varve.common.env;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Synchronous positional I/O that no interrupt can disturb. Thread-safe.
 *
 * <p>Implementation note. A {@code FileChannel} closes itself when its caller is interrupted, for
 * every thread that uses it, and a file that was renamed or deleted meanwhile cannot be opened
 * again. An {@link AsynchronousFileChannel} makes the same system calls without that rule. With
 * {@link CallerRuns} each call runs in the calling thread and is complete when it returns, so its
 * future is never waited for; the interrupt flag is neither read nor changed. This holds where the
 * JDK implements the asynchronous channel over blocking calls: on every Unix.
 */
@SeamImplementation
final class LocalChannel implements AutoCloseable {
  /**
   * Bytes per system call: the JDK keeps one native buffer of the largest size used per thread, and
   * this bounds it.
   */
  private static final int CHUNK_BYTES = 1 << 20;

  /**
   * The JDK's option for direct reads and writes; null in a runtime without its module,
   * jdk.unsupported. It is called by name because the compiler of JDK 25 warns of it when it builds
   * for 17.
   */
  private static final @Nullable OpenOption DIRECT = directOption();

  /** A device that takes what is sent to it and keeps nothing; every Unix has it. */
  private static final Path NOWHERE = Path.of("/dev/null");

  private final AsynchronousFileChannel channel;

  /** What direct reads and writes go through; null where the system's cache is in between. */
  private final @Nullable BlockBuffers buffers;

  LocalChannel(AsynchronousFileChannel channel) {
    this(channel, null);
  }

  private LocalChannel(AsynchronousFileChannel channel, @Nullable BlockBuffers buffers) {
    this.channel = channel;
    this.buffers = buffers;
  }

  static LocalChannel open(Path path, Set<OpenOption> options) throws IOException {
    return new LocalChannel(AsynchronousFileChannel.open(path, options, CallerRuns.INSTANCE));
  }

  /**
   * Opens a file for reads, or for writes of whole blocks, past the system's cache.
   *
   * @throws IOException where the file system has no such writes, too, and then the file may have
   *     been created all the same
   * @throws UnsupportedOperationException where the JDK has none
   */
  static LocalChannel openDirect(Path path, Set<OpenOption> options, BlockBuffers buffers)
      throws IOException {
    if (DIRECT == null) {
      throw new UnsupportedOperationException("this runtime has no direct reads and writes");
    }
    Set<OpenOption> direct = new HashSet<>(options);
    direct.add(DIRECT);
    return new LocalChannel(
        AsynchronousFileChannel.open(path, direct, CallerRuns.INSTANCE), buffers);
  }

  private static @Nullable OpenOption directOption() {
    try {
      Object[] all = Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants();
      for (Object option : all == null ? new Object[0] : all) {
        if (option instanceof OpenOption known && known.toString().equals("DIRECT")) {
          return known;
        }
      }
      return null;
    } catch (ClassNotFoundException noSuchModule) {
      return null;
    }
  }

  /** Opens a directory, which can only be forced. */
  static LocalChannel openDirectory(Path directory) throws IOException {
    return open(directory, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
  }

  /**
   * Brings a range into the system's cache: it is sent from the file to nowhere. Linux copies
   * nothing for that, and touches none of the bytes; in a virtual machine, whose host gives memory
   * when it is first touched, that is most of what a read costs.
   */
  static void prefetch(Path path, long position, long length) throws IOException {
    try (FileChannel file =
            FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        FileChannel nowhere = FileChannel.open(NOWHERE, StandardOpenOption.WRITE)) {
      long done = 0;
      long sent = length;
      while (done < length && sent > 0) {
        sent = file.transferTo(position + done, length - done, nowhere);
        done += sent;
      }
    } catch (ClosedByInterruptException early) {
      // The flag stays set, and what is not there is left to those who read it.
    }
  }

  /** Reads until the target is full or the file ends; returns the number of bytes read. */
  int read(long position, byte[] target, int offset, int length) throws IOException {
    int done = 0;
    while (done < length) {
      ByteBuffer chunk =
          ByteBuffer.wrap(target, offset + done, Math.min(length - done, CHUNK_BYTES));
      int count = readSome(position + done, chunk);
      if (count < 0) {
        break;
      }
      done += count;
    }
    return done;
  }

  private int readSome(long position, ByteBuffer chunk) throws IOException {
    return buffers == null
        ? result(channel.read(chunk, position))
        : readBlocks(position, chunk, buffers);
  }

  /** Reads the blocks that have what is asked for, as many as fit into a buffer. */
  private int readBlocks(long position, ByteBuffer chunk, BlockBuffers of) throws IOException {
    int before = (int) (position % FileSystem.DIRECT_BLOCK_BYTES);
    ByteBuffer aligned = of.take();
    try {
      long end = BlockBuffers.blocks((long) before + chunk.remaining());
      aligned.limit((int) Math.min(end, aligned.capacity()));
      int count = result(channel.read(aligned, position - before)) - before;
      if (count <= 0) {
        return -1;
      }
      int wanted = Math.min(count, chunk.remaining());
      chunk.put(aligned.flip().position(before).limit(before + wanted));
      return wanted;
    } finally {
      of.giveBack(aligned);
    }
  }

  /**
   * Writes everything. The operating system may take only a part of a write without an error, as it
   * does when the disk is nearly full; the next call then tells why.
   */
  void write(long position, byte[] source, int offset, int length) throws IOException {
    int done = 0;
    boolean stuck = false;
    while (done < length) {
      ByteBuffer chunk =
          ByteBuffer.wrap(source, offset + done, Math.min(length - done, CHUNK_BYTES));
      int count = writeSome(position + done, chunk);
      if (count > 0) {
        done += count;
        stuck = false;
      } else if (stuck) {
        throw new IOException("no progress after " + done + " of " + length + " bytes");
      } else {
        stuck = true;
      }
    }
  }

  private int writeSome(long position, ByteBuffer chunk) throws IOException {
    if (buffers == null) {
      return result(channel.write(chunk, position));
    }
    ByteBuffer aligned = buffers.take();
    try {
      aligned.put(chunk.limit(Math.min(chunk.limit(), chunk.position() + aligned.remaining())));
      return result(channel.write(aligned.flip(), position));
    } finally {
      buffers.giveBack(aligned);
    }
  }

  long size() throws IOException {
    return channel.size();
  }

  void truncate(long size) throws IOException {
    channel.truncate(size);
  }

  /** Makes content and size durable; times of access and change do not matter to anybody. */
  void force() throws IOException {
    channel.force(false);
  }

  /** Makes a directory durable. Entries are metadata, which a data-only force may leave out. */
  void forceDirectory() throws IOException {
    channel.force(true);
  }

  /**
   * Locks the file against other processes; false when another one holds it.
   *
   * @throws java.nio.channels.OverlappingFileLockException when this process holds it
   */
  boolean tryLock() throws IOException {
    FileLock lock = channel.tryLock();
    return lock != null;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private static int result(Future<Integer> call) throws IOException {
    assert call.isDone();
    try {
      return call.get();
    } catch (ExecutionException failure) {
      if (failure.getCause() instanceof IOException cause) {
        throw cause;
      }
      throw new IOException(failure.getCause());
    } catch (InterruptedException impossible) {
      Thread.currentThread().interrupt();
      throw new AssertionError("waited for a call that was complete", impossible);
    }
  }
}
