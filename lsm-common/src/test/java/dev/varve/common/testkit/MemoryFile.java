package dev.varve.common.testkit;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.MappedRegion;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.DiskException;
import java.io.IOException;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.file.Path;
import java.util.Objects;

/** An open file of a {@link MemoryFileSystem}; guarded by its lock. */
final class MemoryFile implements StorageFile {
  private final MemoryFileSystem files;
  private final FileNode node;
  private final Path path;
  private final OpenMode mode;
  private final long process;
  private volatile boolean closed;

  MemoryFile(MemoryFileSystem files, FileNode node, Path path, OpenMode mode) {
    this.files = files;
    this.node = node;
    this.path = path;
    this.mode = mode;
    this.process = files.process();
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public long size() {
    files.lock.lock();
    try {
      checkOpen();
      return node.live.size();
    } finally {
      files.lock.unlock();
    }
  }

  @Override
  public int read(long position, byte[] target, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, target.length);
    checkPosition(position);
    if (mode == OpenMode.CREATE_NEW_DIRECT) {
      throw new NonReadableChannelException();
    }
    files.lock.lock();
    try {
      checkOpen();
      return node.live.read(position, target, offset, length);
    } finally {
      files.lock.unlock();
    }
  }

  @Override
  public void prefetch(long position, long length) {
    files.lock.lock();
    try {
      checkOpen();
    } finally {
      files.lock.unlock();
    }
  }

  @Override
  public void write(long position, byte[] source, int offset, int length) throws DiskException {
    Objects.checkFromIndexSize(offset, length, source.length);
    checkPosition(position);
    mode.requireBlocks(position, length);
    int room;
    files.lock.lock();
    try {
      checkWritable();
      room = files.room(node, position, length);
      if (room > 0) {
        node.write(position, source, offset, room);
      }
    } finally {
      files.lock.unlock();
    }
    files.arrive(FileCall.WRITE, path);
    if (room < length) {
      throw new DiskException(path.toString(), "write", new IOException("No space left on device"));
    }
  }

  @Override
  public void force() {
    files.lock.lock();
    try {
      checkOpen();
    } finally {
      files.lock.unlock();
    }
    files.arrive(FileCall.FORCE, path);
    files.lock.lock();
    try {
      node.force();
    } finally {
      files.lock.unlock();
    }
  }

  /** What a force that fails does to the disk: see {@link FileNode#failForce}. */
  void failForce() {
    files.lock.lock();
    try {
      checkOpen();
      node.failForce();
    } finally {
      files.lock.unlock();
    }
  }

  @Override
  public void truncate(long size) {
    files.lock.lock();
    try {
      checkWritable();
      if (size < 0 || size > node.live.size()) {
        throw new IllegalArgumentException(
            path + " has " + node.live.size() + " bytes and cannot be cut to " + size);
      }
      node.truncate(size);
    } finally {
      files.lock.unlock();
    }
    files.arrive(FileCall.TRUNCATE, path);
  }

  @Override
  @MustBeClosed
  public MappedRegion map(long position, int length) {
    files.lock.lock();
    try {
      checkWritable();
      if (position + length > node.live.size()) {
        throw new IllegalArgumentException(
            path + " ends before " + (position + length) + "; a mapped range is written first");
      }
      return new MemoryRegion(files, node, path, new MemoryRegion.Range(position, length));
    } finally {
      files.lock.unlock();
    }
  }

  @Override
  public void close() {
    closed = true;
  }

  private void checkWritable() {
    checkOpen();
    if (mode.onlyReads()) {
      throw new NonWritableChannelException();
    }
  }

  private void checkOpen() {
    files.checkRunning();
    if (process != files.process()) {
      throw new SimulatedCrash("before this call of a process that was killed");
    }
    if (closed) {
      throw new IllegalStateException(path + ": the file is closed");
    }
  }

  private static void checkPosition(long position) {
    if (position < 0) {
      throw new IllegalArgumentException("negative position " + position);
    }
  }
}
