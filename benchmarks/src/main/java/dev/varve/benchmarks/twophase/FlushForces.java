package dev.varve.benchmarks.twophase;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.env.Clock;
import dev.varve.common.env.Device;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.MappedRegion;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.DiskException;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Files that note when a flush was being forced: time that is the disk's, whatever merges do and
 * whoever schedules them. Thread-safe.
 */
final class FlushForces implements FileSystem {
  /** How the engine calls the thread that flushes, and does nothing else. */
  private static final String FLUSH_WORKER = "varve-flush";

  private final FileSystem files;
  private final Clock clock;
  private final Queue<Spans.Span> forces = new ConcurrentLinkedQueue<>();

  FlushForces(FileSystem files, Clock clock) {
    this.files = files;
    this.clock = clock;
  }

  /** When flushes were being forced. */
  Spans spans() {
    return new Spans(List.copyOf(forces));
  }

  /** Something that makes a file or a directory durable. */
  @FunctionalInterface
  private interface Force {
    void run() throws DiskException;
  }

  private void note(Force force) throws DiskException {
    if (!Thread.currentThread().getName().equals(FLUSH_WORKER)) {
      force.run();
      return;
    }
    long begin = clock.nanoTime();
    try {
      force.run();
    } finally {
      forces.add(new Spans.Span(begin, clock.nanoTime()));
    }
  }

  @Override
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // the noted file takes the file over
  public StorageFile open(Path path, OpenMode mode) throws DiskException {
    return new NotedFile(files.open(path, mode), this);
  }

  @Override
  public void forceDirectory(Path directory) throws DiskException {
    note(() -> files.forceDirectory(directory));
  }

  @Override
  public boolean exists(Path path) throws DiskException {
    return files.exists(path);
  }

  @Override
  public List<Path> list(Path directory) throws DiskException {
    return files.list(directory);
  }

  @Override
  public long size(Path path) throws DiskException {
    return files.size(path);
  }

  @Override
  public void createDirectories(Path directory) throws DiskException {
    files.createDirectories(directory);
  }

  @Override
  public void rename(Path source, Path target) throws DiskException {
    files.rename(source, target);
  }

  @Override
  public void delete(Path path) throws DiskException {
    files.delete(path);
  }

  @Override
  public long usableBytes(Path path) throws DiskException {
    return files.usableBytes(path);
  }

  @Override
  public Device device(Path path) throws DiskException {
    return files.device(path);
  }

  @Override
  @MustBeClosed
  public DirectoryLock lock(Path directory) throws DiskException, ConflictException {
    return files.lock(directory);
  }

  /** A file whose forces are noted. */
  private record NotedFile(StorageFile file, FlushForces notes) implements StorageFile {
    @Override
    public void force() throws DiskException {
      notes.note(file::force);
    }

    @Override
    public Path path() {
      return file.path();
    }

    @Override
    public long size() throws DiskException {
      return file.size();
    }

    @Override
    public int read(long position, byte[] target, int offset, int length) throws DiskException {
      return file.read(position, target, offset, length);
    }

    @Override
    public void write(long position, byte[] source, int offset, int length) throws DiskException {
      file.write(position, source, offset, length);
    }

    @Override
    public void truncate(long size) throws DiskException {
      file.truncate(size);
    }

    @Override
    @MustBeClosed
    public MappedRegion map(long position, int length) throws DiskException {
      return file.map(position, length);
    }

    @Override
    public void close() {
      file.close();
    }
  }
}
