package dev.varve.dataset;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.env.Clock;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.FileSystem.DirectoryLock;
import dev.varve.common.env.FileTree;
import dev.varve.common.env.Signal;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.EngineRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;

/**
 * An engine that runs in another process, as that process lets others of its owner use it: it makes
 * a checkpoint to read, compacts, adds and drops indexes, and takes records. Confined to one
 * thread. Closing it deletes what was made for it.
 */
public final class RunningEngine implements AutoCloseable {
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private static final Duration WITHOUT_END = Duration.ofNanos(Long.MAX_VALUE);

  /** What an engine is asked for, with the records that it is to take, and for how long. */
  private record Asked(EngineRequest request, List<byte[]> batch, Duration patience) {}

  private final FileSystem files;
  private final Signal signal;
  private final Path desk;
  private final RequestFiles request;
  private final DirectoryLock lock;

  /**
   * Why a record was refused.
   *
   * @param reason in a word
   * @param message in a sentence
   */
  public record Refusal(String reason, String message) {
    /** What a record's own fault says. */
    static Refusal of(StorageException why) {
      assert why instanceof RequestException || why instanceof LimitException : why;
      String reason =
          why instanceof RequestException refused
              ? refused.reason().name()
              : why.getClass().getSimpleName();
      return new Refusal(reason, String.valueOf(why.getMessage()));
    }

    static Refusal parse(String text) {
      int end = text.indexOf(':');
      if (end < 0) {
        throw new IllegalArgumentException(text);
      }
      return new Refusal(text.substring(0, end), text.substring(end + 1));
    }

    @Override
    public String toString() {
      return reason + ":" + message;
    }
  }

  /**
   * What became of a batch.
   *
   * @param replaced how many replaced another; of pairs nobody knows, and it is 0
   * @param refused those that were not taken, by their number from 0; all others are durable
   */
  public record Taken(long replaced, SortedMap<Integer, Refusal> refused) {
    /** Keeps what it gets. */
    public Taken {
      assert replaced >= 0;
      refused = Collections.unmodifiableSortedMap(refused);
    }
  }

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
   * @throws RequestException as the engine threw it; also with {@code UNSUPPORTED} and the message
   *     of whatever else it threw
   */
  @MustBeClosed
  public static RunningEngine ask(EngineSeams seams, Path directory, EngineRequest request)
      throws StorageException {
    return ask(seams, directory, new Asked(request, List.of(), WITHOUT_END));
  }

  /**
   * Asks for a checkpoint to read, which a process that is stopped or hangs never makes: waits for
   * a while, and then takes the request back.
   *
   * @return whose {@link #look} can be opened if it has {@link #answered}; otherwise what its
   *     engine has forced can be read, by a secondary in {@link #secondary}
   * @throws ConflictException as {@link #ask} does
   */
  @MustBeClosed
  public static RunningEngine look(EngineSeams seams, Path directory, Duration patience)
      throws StorageException {
    return ask(seams, directory, new Asked(EngineRequest.look(), List.of(), patience));
  }

  /**
   * Has the engine that runs on a directory take records, or pairs, and waits until they are
   * durable. Whoever dies in between leaves some of them taken; the same batch again does no harm.
   *
   * @param store name of the dataset or key-value store
   * @param batch records, each an object; or keys and values in turn
   * @throws ConflictException as {@link #ask} does
   */
  public static Taken put(EngineSeams seams, Path directory, String store, List<byte[]> batch)
      throws StorageException {
    try (RunningEngine running =
        ask(seams, directory, new Asked(EngineRequest.put(store), batch, WITHOUT_END))) {
      return running.request.taken();
    }
  }

  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // closed with the result, or here
  private static RunningEngine ask(EngineSeams seams, Path directory, Asked asked)
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
      if (!asked.batch.isEmpty()) {
        running.request.batch().write(asked.batch);
      }
      running.request.ask(asked.request);
      running.await(asked.patience, seams.clock());
      if (running.answered()) {
        running.request.requireDone();
      } else {
        running.request.withdraw();
      }
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

  /** Whether the engine has done what was asked. */
  public boolean answered() throws StorageException {
    return request.answered();
  }

  private void await(Duration patience, Clock clock) throws StorageException {
    long begin = clock.nanoTime();
    while (!answered() && clock.nanoTime() - begin < patience.toNanos()) {
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

  /** Where a secondary of an engine that does not answer may be, until this is closed. */
  public Path secondary() {
    return request.directory().resolve("secondary");
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
    FileTree own = new FileTree(files, request.directory());
    if (files.exists(own.path())) {
      // What takes long goes while the lock's file tells that this process lives.
      for (Path child : files.list(own.path())) {
        if (files.isDirectory(child)) {
          new FileTree(files, child).delete();
        }
      }
      try {
        own.delete();
      } catch (DiskException again) {
        // The engine looked just now whether this process is gone, which makes a lock file. It does
        // not look again at a request that was withdrawn.
        own.delete();
      }
    }
    lock.close();
  }
}
