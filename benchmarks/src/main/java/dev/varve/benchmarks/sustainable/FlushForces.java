package dev.varve.benchmarks.sustainable;

import dev.varve.common.env.Clock;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.ForwardingFile;
import dev.varve.common.env.ForwardingFileSystem;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.DiskException;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Files that note when a flush was being forced: time that is the disk's, whatever merges do and
 * whoever schedules them. Thread-safe.
 */
final class FlushForces implements ForwardingFileSystem {
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
    if (!Thread.currentThread().getName().startsWith(FLUSH_WORKER)) {
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
  public FileSystem files() {
    return files;
  }

  @Override
  public StorageFile opened(StorageFile file) {
    return new NotedFile(file, this);
  }

  @Override
  public void forceDirectory(Path directory) throws DiskException {
    note(() -> files.forceDirectory(directory));
  }

  /** A file whose forces are noted. */
  private record NotedFile(StorageFile file, FlushForces notes) implements ForwardingFile {
    @Override
    public void force() throws DiskException {
      notes.note(file::force);
    }
  }
}
