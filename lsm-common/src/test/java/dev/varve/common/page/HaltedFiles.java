package dev.varve.common.page;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.env.FileSystem;
import dev.varve.common.env.ForwardingFile;
import dev.varve.common.env.ForwardingFileSystem;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.StorageException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Files whose reads that begin at a position say so, and wait to be let go on.
 *
 * @param began gets a permit with each such read
 * @param goOn takes one
 */
record HaltedFiles(FileSystem files, long position, Semaphore began, Semaphore goOn)
    implements ForwardingFileSystem {
  HaltedFiles(FileSystem files, long position) {
    this(files, position, new Semaphore(0), new Semaphore(0));
  }

  @Override
  public StorageFile opened(StorageFile file) {
    return new HaltedFile(file, this);
  }

  /** Has a thread do something, and returns when that waits. */
  FutureTask<Void> whileHalted(Reading reading) throws InterruptedException {
    FutureTask<Void> task =
        new FutureTask<>(
            () -> {
              reading.run();
              return null;
            });
    new Thread(task).start();
    awaitHalt();
    return task;
  }

  /** Returns when a read waits. */
  void awaitHalt() throws InterruptedException {
    assertTrue(began.tryAcquire(1, TimeUnit.MINUTES));
  }

  private record HaltedFile(StorageFile file, HaltedFiles files) implements ForwardingFile {
    @Override
    public int read(long position, byte[] target, int offset, int length) throws DiskException {
      int read = file.read(position, target, offset, length);
      if (position == files.position) {
        files.began.release();
        try {
          assertTrue(files.goOn.tryAcquire(1, TimeUnit.MINUTES), "nobody lets this go on");
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      }
      return read;
    }
  }

  /** What reads. */
  interface Reading {
    void run() throws StorageException;
  }
}
