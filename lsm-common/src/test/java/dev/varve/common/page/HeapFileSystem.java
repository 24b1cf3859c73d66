package dev.varve.common.page;

import dev.varve.common.env.FileSystem;
import dev.varve.common.env.MappedRegion;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.DiskException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/** Files on the heap, with a count of reads, for tests of this package. Thread-safe. */
final class HeapFileSystem implements FileSystem {
  final ConcurrentSkipListMap<Path, HeapFile> files = new ConcurrentSkipListMap<>();
  final AtomicLong reads = new AtomicLong();
  final AtomicLong forces = new AtomicLong();

  final class HeapFile implements StorageFile {
    private final ReentrantLock lock = new ReentrantLock();
    private final Path path;
    byte[] content = new byte[0];

    HeapFile(Path path) {
      this.path = path;
    }

    @Override
    public Path path() {
      return path;
    }

    @Override
    public long size() {
      return content.length;
    }

    @Override
    public int read(long position, byte[] target, int offset, int length) {
      reads.incrementAndGet();
      lock.lock();
      try {
        int count = (int) Math.max(0, Math.min(length, content.length - position));
        System.arraycopy(content, (int) Math.min(position, content.length), target, offset, count);
        return count;
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void write(long position, byte[] source, int offset, int length) {
      lock.lock();
      try {
        content = Arrays.copyOf(content, (int) Math.max(content.length, position + length));
        System.arraycopy(source, offset, content, (int) position, length);
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void force() {
      forces.incrementAndGet();
    }

    @Override
    public void truncate(long size) {
      content = Arrays.copyOf(content, (int) size);
    }

    @Override
    public MappedRegion map(long position, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
  }

  @Override
  public StorageFile open(Path path, OpenMode mode) throws DiskException {
    if (mode == OpenMode.CREATE_NEW) {
      HeapFile file = new HeapFile(path);
      if (files.putIfAbsent(path, file) != null) {
        throw new DiskException(path.toString(), "create", null);
      }
      return file;
    }
    HeapFile file = files.get(path);
    if (file == null) {
      throw new DiskException(path.toString(), "open", null);
    }
    return file;
  }

  @Override
  public boolean exists(Path path) {
    return files.containsKey(path);
  }

  @Override
  public List<Path> list(Path directory) {
    return files.keySet().stream().filter(p -> directory.equals(p.getParent())).toList();
  }

  @Override
  public long size(Path path) {
    return files.get(path).size();
  }

  @Override
  public void createDirectories(Path directory) {}

  @Override
  public void rename(Path source, Path target) {
    HeapFile moved = new HeapFile(target);
    moved.content = files.remove(source).content;
    files.put(target, moved);
  }

  @Override
  public void delete(Path path) {
    files.remove(path);
  }

  @Override
  public void forceDirectory(Path directory) {}

  @Override
  public long usableBytes(Path path) {
    return Long.MAX_VALUE;
  }

  @Override
  public DirectoryLock lock(Path directory) {
    return () -> {};
  }
}
