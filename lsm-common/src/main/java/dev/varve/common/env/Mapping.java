package dev.varve.common.env;

import com.google.errorprone.annotations.MustBeClosed;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;

/**
 * A range of a file in memory, which is given back when it is closed and not when a garbage
 * collector comes by. Thread-safe for disjoint ranges, but for {@link #close}: with a JDK below 22
 * a call that is under way then ends the process.
 *
 * <p>Implementation note. Java can unmap since 22 (java.lang.foreign), the JDK since 9
 * (sun.misc.Unsafe). Both are called by name: 17 has no first one, and 25 warns of the second. In a
 * runtime without either, as without the module jdk.unsupported, the garbage collector unmaps.
 */
@SeamImplementation
final class Mapping implements AutoCloseable {
  private static final int ARENAS_SINCE = 22;

  private static final Mapper MAPPER = mapper();

  private final MappedByteBuffer bytes;
  private final Unmapping unmapping;

  @SeamImplementation
  @FunctionalInterface
  private interface Mapper {
    Mapping map(FileChannel channel, long position, int length)
        throws IOException, ReflectiveOperationException;
  }

  @FunctionalInterface
  private interface Unmapping {
    void run() throws ReflectiveOperationException;
  }

  private Mapping(MappedByteBuffer bytes, Unmapping unmapping) {
    this.bytes = bytes;
    this.unmapping = unmapping;
  }

  /** Maps a range for reads and writes; the channel need not stay open. */
  @MustBeClosed
  static Mapping of(FileChannel channel, long position, int length) throws IOException {
    try {
      return MAPPER.map(channel, position, length);
    } catch (InvocationTargetException failure) {
      if (failure.getCause() instanceof IOException cause) {
        throw cause;
      }
      throw new IOException(failure.getCause());
    } catch (ReflectiveOperationException failure) {
      throw new IOException(failure);
    }
  }

  MappedByteBuffer bytes() {
    return bytes;
  }

  /** Unmaps, once. */
  @Override
  public void close() {
    try {
      unmapping.run();
    } catch (ReflectiveOperationException failure) {
      throw new IllegalStateException("a mapping cannot be given back", failure);
    }
  }

  private static Mapper mapper() {
    try {
      return Runtime.version().feature() < ARENAS_SINCE ? byUnsafe() : byArenas();
    } catch (ReflectiveOperationException | RuntimeException notThere) {
      // Neither is there, or what is there may not be used.
      return (channel, position, length) ->
          new Mapping(channel.map(MapMode.READ_WRITE, position, length), () -> {});
    }
  }

  private static Mapper byArenas() throws ReflectiveOperationException {
    Class<?> arenas = Class.forName("java.lang.foreign.Arena");
    Method shared = arenas.getMethod("ofShared");
    Method close = arenas.getMethod("close");
    Method map = FileChannel.class.getMethod("map", MapMode.class, long.class, long.class, arenas);
    Method buffer = Class.forName("java.lang.foreign.MemorySegment").getMethod("asByteBuffer");
    return (channel, position, length) -> {
      Object arena = shared.invoke(null);
      boolean complete = false;
      try {
        Object segment = map.invoke(channel, MapMode.READ_WRITE, position, (long) length, arena);
        MappedByteBuffer bytes = (MappedByteBuffer) buffer.invoke(segment);
        complete = true;
        return new Mapping(bytes, () -> close.invoke(arena));
      } finally {
        if (!complete) {
          close.invoke(arena);
        }
      }
    };
  }

  private static Mapper byUnsafe() throws ReflectiveOperationException {
    Class<?> type = Class.forName("sun.misc.Unsafe");
    Method clean = type.getMethod("invokeCleaner", ByteBuffer.class);
    Field instance = type.getDeclaredField("theUnsafe");
    instance.setAccessible(true);
    Object unsafe = instance.get(null);
    return (channel, position, length) -> {
      MappedByteBuffer bytes = channel.map(MapMode.READ_WRITE, position, length);
      return new Mapping(bytes, () -> clean.invoke(unsafe, bytes));
    };
  }
}
