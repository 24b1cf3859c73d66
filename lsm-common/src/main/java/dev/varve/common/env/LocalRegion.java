package dev.varve.common.env;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.error.DiskException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A mapping of the operating system. Thread-safe for disjoint ranges; nobody is in a call when it
 * is closed. A disk that fails under a mapping raises a signal that the JDK reports as an {@link
 * InternalError}; all methods turn it into a {@link DiskException}.
 */
@SeamImplementation
final class LocalRegion implements MappedRegion {
  /** Interrupts that may hit one call of {@link #map} before it gives up. */
  private static final int INTERRUPTS_MAX = 100;

  /** No system that Java runs on has smaller pages. */
  private static final int SMALLEST_PAGE_BYTES = 4096;

  private final Path path;
  private final Mapping mapping;

  /** The mapping's, until it is closed. */
  private final AtomicReference<@Nullable MappedByteBuffer> bytes;

  private LocalRegion(Path path, Mapping mapping) {
    this.path = path;
    this.mapping = mapping;
    this.bytes = new AtomicReference<>(mapping.bytes());
  }

  /**
   * Maps a range of the file that has the given key. Only a channel that interrupts can close knows
   * how to map, so the flag is cleared around the call, an interrupt in the middle is remembered,
   * and the call repeated.
   */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // the result owns the mapping
  static LocalRegion map(Path path, @Nullable Object fileKey, long position, int length)
      throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      for (int attempt = 0; ; attempt++) {
        try {
          return new LocalRegion(path, mapOnce(path, fileKey, position, length));
        } catch (ClosedByInterruptException interrupt) {
          interrupted = true;
          Thread.interrupted();
          if (attempt == INTERRUPTS_MAX) {
            throw interrupt;
          }
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @MustBeClosed
  private static Mapping mapOnce(Path path, @Nullable Object fileKey, long position, int length)
      throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            path, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      Object foundKey =
          Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
              .fileKey();
      if (!Objects.equals(fileKey, foundKey)) {
        throw new IOException("the file was renamed or replaced since it was opened");
      }
      return Mapping.of(channel, position, length);
    }
  }

  @Override
  public void put(int position, byte[] source, int offset, int length) throws DiskException {
    try {
      open().put(position, source, offset, length);
    } catch (InternalError failure) {
      throw new DiskException(path.toString(), "put", failure);
    }
  }

  @Override
  public void prefault() throws DiskException {
    try {
      MappedByteBuffer mapped = open();
      for (int at = 0; at < mapped.capacity(); at += SMALLEST_PAGE_BYTES) {
        mapped.put(at, mapped.get(at));
      }
    } catch (InternalError failure) {
      throw new DiskException(path.toString(), "prefault", failure);
    }
  }

  @Override
  public void force(int position, int length) throws DiskException {
    try {
      open().force(position, length);
    } catch (UncheckedIOException failure) {
      throw new DiskException(path.toString(), "force", failure.getCause());
    } catch (InternalError failure) {
      throw new DiskException(path.toString(), "force", failure);
    }
  }

  @Override
  public void close() {
    if (bytes.getAndSet(null) != null) {
      mapping.close();
    }
  }

  private MappedByteBuffer open() {
    MappedByteBuffer open = bytes.get();
    if (open == null) {
      throw new IllegalStateException(path + ": the mapped region is closed");
    }
    return open;
  }
}
