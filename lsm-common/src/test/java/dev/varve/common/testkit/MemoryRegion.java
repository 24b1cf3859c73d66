package dev.varve.common.testkit;

import dev.varve.common.env.MappedRegion;
import dev.varve.common.error.DiskException;
import java.nio.file.Path;
import java.util.Objects;

/** A mapped range of a simulated file; guarded by the lock of its file system. */
final class MemoryRegion implements MappedRegion {
  /** Where in the file the region lies. */
  record Range(long position, int length) {}

  private final MemoryFileSystem files;
  private final FileNode node;
  private final Path path;
  private final Range range;
  private final long process;
  private volatile boolean closed;

  MemoryRegion(MemoryFileSystem files, FileNode node, Path path, Range range) {
    this.files = files;
    this.node = node;
    this.path = path;
    this.range = range;
    this.process = files.process();
  }

  @Override
  public void put(int position, byte[] source, int offset, int length) throws DiskException {
    Objects.checkFromIndexSize(offset, length, source.length);
    Objects.checkFromIndexSize(position, length, range.length());
    files.lock.lock();
    try {
      checkOpen();
      checkBacked(position, length);
      node.write(range.position() + position, source, offset, length);
    } finally {
      files.lock.unlock();
    }
    files.arrive(FileCall.PUT, path);
  }

  @Override
  public void prefault() throws DiskException {
    files.lock.lock();
    try {
      checkOpen();
      checkBacked(0, range.length());
    } finally {
      files.lock.unlock();
    }
    files.arrive(FileCall.TOUCH, path);
  }

  @Override
  public void force(int position, int length) throws DiskException {
    Objects.checkFromIndexSize(position, length, range.length());
    files.lock.lock();
    try {
      checkOpen();
      checkBacked(position, length);
    } finally {
      files.lock.unlock();
    }
    files.arrive(FileCall.SYNC, path);
    files.lock.lock();
    try {
      long from = range.position() + position;
      node.forceRange(from, from + length);
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
  public void close() {
    closed = true;
  }

  private void checkOpen() {
    files.checkRunning();
    if (process != files.process()) {
      throw new SimulatedCrash("before this call of a process that was killed");
    }
    if (closed) {
      throw new IllegalStateException(path + ": the mapped region is closed");
    }
  }

  /** A file that was cut below its mapping: the kernel sends a signal, the JDK an error. */
  private void checkBacked(int position, int length) throws DiskException {
    if (range.position() + position + length > node.live.size()) {
      throw new DiskException(path.toString(), "put", new InternalError("mapped file was cut"));
    }
  }
}
