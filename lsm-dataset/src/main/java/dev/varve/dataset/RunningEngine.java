package dev.varve.dataset;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.FileSystem.DirectoryLock;
import dev.varve.common.env.FileTree;
import dev.varve.common.env.Signal;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.EngineRequest;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * An engine that runs in another process, as that process lets others of its owner use it: it makes
 * a checkpoint to read, compacts, and adds and drops indexes. Confined to one thread. Closing it
 * deletes what was made for it.
 */
public final class RunningEngine implements AutoCloseable {
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final FileSystem files;
  private final Signal signal;
  private final Path desk;
  private final RequestFiles request;
  private final DirectoryLock lock;

  private RunningEngine(EngineSeams seams, Path desk, Path own, DirectoryLock lock) {
    this.files = seams.files();
    this.signal = seams.executor().newSignal();
    this.desk = desk;
    this.request = new RequestFiles(files, own);
    this.lock = lock;
  }

  /**
   * Asks the engine that runs on a directory, and waits until it has done so.
   *
   * @throws ConflictException with {@code DIRECTORY_IN_USE} when it does not answer requests,
   *     {@code LEFT_OPEN} when it was closed or killed before it answered; or as the engine threw
   *     it
   * @throws dev.varve.common.error.RequestException as the engine threw it; also with {@code
   *     UNSUPPORTED} and the message of whatever else it threw
   */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // closed with the result, or here
  public static RunningEngine ask(EngineSeams seams, Path directory, EngineRequest request)
      throws StorageException {
    FileSystem files = seams.files();
    Path desk = directory.resolve(RequestFiles.NAME);
    if (!answers(files, desk)) {
      throw new ConflictException(
          ConflictException.Reason.DIRECTORY_IN_USE,
          directory
              + " is open in another process, which does not answer requests; close it there");
    }
    Path own = desk.resolve(Long.toHexString(seams.random().nextLong()));
    files.createDirectories(own);
    RunningEngine running = new RunningEngine(seams, desk, own, files.lock(own));
    try {
      running.request.ask(request);
      running.await();
      running.request.requireDone();
      return running;
    } catch (StorageException | RuntimeException failure) {
      try {
        running.close();
      } catch (StorageException second) {
        failure.addSuppressed(second);
      }
      throw failure;
    }
  }

  private static boolean answers(FileSystem files, Path desk) throws StorageException {
    if (!files.exists(desk)) {
      return false;
    }
    try (DirectoryLock free = files.lock(desk)) {
      assert free != null;
      return false;
    } catch (ConflictException held) {
      return true;
    }
  }

  private void await() throws StorageException {
    while (!request.answered()) {
      boolean open = answers(files, desk);
      if (signal.await(() -> false, LOOK_NANOS) == Signal.Outcome.INTERRUPTED) {
        throw new ConflictException(
            ConflictException.Reason.INTERRUPTED,
            "interrupted while the engine did what was asked");
      }
      if (!open && !request.answered()) {
        throw new ConflictException(
            ConflictException.Reason.LEFT_OPEN,
            "the engine was closed, or its process killed, before it answered: whether it has done"
                + " what was asked is not known");
      }
    }
  }

  /** The checkpoint that was asked for, until this is closed. */
  public Path look() {
    return request.look();
  }

  /** Deletes the request and its checkpoint; idempotent. */
  @Override
  public void close() throws StorageException {
    // First what the engine would answer, so that it does nothing twice.
    request.withdraw();
    if (files.exists(request.directory())) {
      new FileTree(files, request.directory()).delete();
    }
    lock.close();
  }
}
