package dev.varve.dataset.internal.partition;

import dev.varve.common.env.Signal;
import dev.varve.common.env.TaskExecutor;
import dev.varve.common.env.Worker;
import dev.varve.common.error.StorageException;
import org.jspecify.annotations.Nullable;

/**
 * A thread beside its owner's, which does one piece of work at a time. Confined to its owner; what
 * a piece touches is the thread's from {@link #begin} to the end of {@link #await}.
 */
final class SideWork implements Worker, AutoCloseable {
  private final String name;
  private final Signal ended;
  private final TaskExecutor.Handle thread;
  private volatile @Nullable Piece piece;

  /** What the first piece that failed threw; no piece begins after it. */
  private volatile @Nullable Throwable failure;

  /** A piece of work. */
  @FunctionalInterface
  interface Piece {
    void run() throws StorageException;
  }

  /** Starts the thread, which sleeps until there is work. */
  SideWork(TaskExecutor executor, String name) {
    this.name = name;
    this.ended = executor.newSignal();
    this.thread = executor.start(this);
  }

  /**
   * Begins a piece, as soon as the one before has ended.
   *
   * @throws StorageException as {@link #await}
   */
  void begin(Piece next) throws StorageException {
    await();
    assert piece == null : "one piece at a time";
    piece = next;
    thread.wake();
  }

  /**
   * Waits for the end of the piece that was begun last, if any.
   *
   * @throws StorageException what a piece threw, now or before; likewise unchecked ones
   */
  void await() throws StorageException {
    ended.awaitUninterruptibly(() -> piece == null);
    Throwable thrown = failure;
    if (thrown instanceof StorageException refused) {
      throw refused;
    }
    if (thrown instanceof Error error) {
      throw error;
    }
    if (thrown instanceof RuntimeException bug) {
      throw bug;
    }
    assert thrown == null : thrown;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int doWork() {
    Piece now = piece;
    if (now == null) {
      return 0;
    }
    try {
      now.run();
    } catch (StorageException | RuntimeException | Error thrown) {
      failure = thrown;
    }
    piece = null;
    ended.raise();
    return 1;
  }

  @Override
  public void failed(Throwable cause) {
    failure = cause;
    piece = null;
    ended.raise();
  }

  /**
   * Waits for the end of the piece that runs, if any, whatever comes of it, and ends the thread.
   */
  @Override
  public void close() {
    thread.close();
  }
}
