package dev.varve.dataset;

import dev.varve.common.env.FileSystem;
import dev.varve.common.env.FileSystem.DirectoryLock;
import dev.varve.common.env.FileTree;
import dev.varve.common.env.Signal;
import dev.varve.common.env.Worker;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.EngineRequest;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Does what other processes ask of an engine that runs, one request after the other: it looks twice
 * a second whether there are any, and sooner after one. Whoever may write into the engine's
 * directory may ask, so no one but the owner of it and those whom the owner lets. While it works it
 * holds a lock on the directory of requests, which tells that requests are answered at all. One
 * thread, but for {@link #stop}.
 */
final class RequestDesk implements Worker {
  private static final Logger LOGGER = LogManager.getLogger(RequestDesk.class);
  private static final long PERIOD_NANOS = 500_000_000;
  private static final long SOON_NANOS = 20_000_000;
  private static final int MOST_SOON = 25;

  /** So often a directory is seen without a request before the desk asks whose it is. */
  private static final int LOOKS_AT_BARE = 25;

  private final Doer doer;
  private final FileSystem files;
  private final Path desk;
  private @Nullable DirectoryLock lock;
  private volatile boolean stopped;
  private boolean failing;

  /** How often it looks again soon. */
  private int soon;

  /** How often each directory without a request was seen: whoever made it may be killed, too. */
  private final Map<Path, Integer> bare = new HashMap<>();

  /** Does what is asked. */
  @FunctionalInterface
  interface Doer {
    /**
     * Does it, or throws why not.
     *
     * @param files of the request: what lies beside it, and where what is made for it goes
     */
    void run(EngineRequest request, RequestFiles files) throws StorageException;
  }

  /** A desk of the engine of a directory, that answers nothing yet. */
  RequestDesk(Path directory, FileSystem files, Doer doer) {
    this.doer = doer;
    this.files = files;
    this.desk = directory.resolve(RequestFiles.NAME);
  }

  @Override
  public String name() {
    return "varve-requests";
  }

  /** Lets others know that requests are answered. What fails here the worker tries again. */
  RequestDesk opened() {
    try {
      ready();
    } catch (StorageException e) {
      LOGGER.debug("{} is not locked yet", desk, e);
    }
    return this;
  }

  /** No request is begun from now on; what is at work goes on. May be called from any thread. */
  void stop() {
    stopped = true;
  }

  /** Lets others know that nothing is answered any more; called when its thread has ended. */
  void release() {
    if (lock != null) {
      lock.close();
      lock = null;
    }
  }

  @Override
  public int doWork() {
    try {
      if (!stopped && ready()) {
        List<Path> all = files.list(desk);
        bare.keySet().retainAll(all);
        for (Path each : all) {
          if (!stopped && files.isDirectory(each)) {
            serve(new RequestFiles(files, each));
          }
        }
      }
      failing = false;
    } catch (StorageException | RuntimeException e) {
      if (!failing && !stopped) {
        failing = true;
        FailurePaths.warn(LOGGER, "requests in {} are not answered", desk, e);
      }
    }
    return 0;
  }

  /** Whether it has the lock; another process that looks whether requests are answered may. */
  @SuppressWarnings("MustBeClosedChecker") // closed by release
  private boolean ready() throws StorageException {
    if (lock == null) {
      files.createDirectories(desk);
      try {
        lock = files.lock(desk);
      } catch (ConflictException looksNow) {
        return false;
      }
    }
    return true;
  }

  private void serve(RequestFiles request) throws StorageException {
    Optional<EngineRequest> asked = request.asked();
    if (asked.isEmpty() && bare.merge(request.directory(), 1, Integer::sum) < LOOKS_AT_BARE) {
      return; // being made, or taken back
    }
    try {
      if (isLeft(request.directory())) {
        new FileTree(files, request.directory()).delete();
        return;
      }
    } catch (DiskException gone) {
      if (files.exists(request.directory())) {
        throw gone;
      }
      return; // taken back by whoever has asked
    }
    if (asked.isPresent() && !request.answered()) {
      try {
        doer.run(asked.get(), request);
      } catch (StorageException | IllegalArgumentException refused) {
        request.failed(refused);
        return;
      }
      request.done();
      soon = MOST_SOON;
    }
  }

  /** Whether the process that asked is gone. */
  private boolean isLeft(Path directory) throws StorageException {
    try (DirectoryLock free = files.lock(directory)) {
      assert free != null;
      return true;
    } catch (ConflictException held) {
      return false;
    }
  }

  @Override
  public long napNanos() {
    if (stopped) {
      return Signal.FOREVER;
    }
    // Whoever has asked may ask once more.
    soon = Math.max(0, soon - 1);
    return soon > 0 ? SOON_NANOS : PERIOD_NANOS;
  }

  @Override
  public void failed(Throwable cause) {
    FailurePaths.warn(LOGGER, "requests in {} are answered no more", desk, cause);
  }
}
