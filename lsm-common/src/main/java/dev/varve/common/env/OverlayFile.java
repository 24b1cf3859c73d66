package dev.varve.common.env;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.env.FileSystem.OpenMode;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/** An open file of an {@link OverlayFileSystem} whose bytes are in memory. Thread-safe. */
final class OverlayFile implements StorageFile {
  private final Path path;
  private final OpenMode mode;
  private final MemoryContent content;

  /** That of the file system. */
  private final ReentrantLock lock;

  private volatile boolean closed;

  OverlayFile(Path path, OpenMode mode, MemoryContent content, ReentrantLock lock) {
    this.path = path;
    this.mode = mode;
    this.content = content;
    this.lock = lock;
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public long size() {
    requireOpen();
    lock.lock();
    try {
      return content.size();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public int read(long position, byte[] target, int offset, int length) {
    requireRange(position, target, offset, length);
    requireOpen();
    if (mode == OpenMode.CREATE_NEW_DIRECT) {
      throw new NonReadableChannelException();
    }
    lock.lock();
    try {
      return content.read(position, target, offset, length);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void prefetch(long position, long length) {
    requireOpen();
  }

  @Override
  public void write(long position, byte[] source, int offset, int length) {
    requireRange(position, source, offset, length);
    requireOpen();
    requireWritable();
    mode.requireBlocks(position, length);
    lock.lock();
    try {
      content.write(position, source, offset, length);
    } finally {
      lock.unlock();
    }
  }

  /** Nothing here is ever durable. */
  @Override
  public void force() {
    requireOpen();
  }

  @Override
  public void truncate(long size) {
    requireOpen();
    requireWritable();
    lock.lock();
    try {
      if (size < 0 || size > content.size()) {
        throw new IllegalArgumentException(
            path + " has " + content.size() + " bytes and cannot be cut to " + size);
      }
      content.truncate(size);
    } finally {
      lock.unlock();
    }
  }

  @Override
  @MustBeClosed
  public MappedRegion map(long position, int length) {
    if (position + length > size()) {
      throw new IllegalArgumentException(
          path + " ends before " + (position + length) + "; a mapped range is written first");
    }
    return new Region(position, length);
  }

  @Override
  public void close() {
    closed = true;
  }

  private static void requireRange(long position, byte[] bytes, int offset, int length) {
    int checked = Objects.checkFromIndexSize(offset, length, bytes.length);
    if (position < 0) {
      throw new IllegalArgumentException("negative position " + position + ", at " + checked);
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException(path + " is closed");
    }
  }

  private void requireWritable() {
    if (mode.onlyReads()) {
      throw new NonWritableChannelException();
    }
  }

  /** A range of the content; stays usable when the file is closed. */
  private final class Region implements MappedRegion {
    private final long begin;
    private final int length;
    private volatile boolean given;

    Region(long begin, int length) {
      this.begin = begin;
      this.length = length;
    }

    @Override
    public void put(int position, byte[] source, int offset, int count) {
      requireMapped();
      if (position < 0 || count > length - position) {
        throw new IndexOutOfBoundsException(
            path + ": " + count + " bytes at " + position + " of a region of " + length);
      }
      lock.lock();
      try {
        content.write(begin + position, source, offset, count);
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void prefault() {
      requireMapped();
    }

    @Override
    public void force(int position, int count) {
      requireMapped();
    }

    @Override
    public void close() {
      given = true;
    }

    private void requireMapped() {
      if (given) {
        throw new IllegalStateException(path + ": the mapped region is closed");
      }
    }
  }
}
