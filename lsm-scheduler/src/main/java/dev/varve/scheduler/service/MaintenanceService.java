package dev.varve.scheduler.service;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.env.Signal;
import dev.varve.common.env.TaskExecutor;
import dev.varve.common.env.Worker;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.StorageException;
import dev.varve.common.maintenance.MaintenanceQueue;
import dev.varve.common.maintenance.MaintenanceTask;
import dev.varve.common.maintenance.MaintenanceTask.Kind;
import dev.varve.common.maintenance.MergeScheduler;
import dev.varve.scheduler.budget.DiskSpace;
import dev.varve.scheduler.budget.IoPurpose;
import dev.varve.scheduler.service.TaskBoard.End;
import dev.varve.scheduler.tuner.TunerSetting.Io;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Runs the flushes and merges of a node. A flush worker runs flushes one after the other in the
 * order of their submission, and never pauses for the bytes of a merge; with several, those of one
 * index stay in order. Merge workers run, batch by batch, what the scheduler allocates. How many of
 * each there are may be changed while they run.
 *
 * <p>A task that fails with a {@link DiskException} is reported, and the service goes on. Any other
 * failure poisons it: what waits is cancelled, and what is submitted later is cancelled at once.
 *
 * <p>Thread-safe. Whoever started it ends it, by {@link #finish} or by {@link #close}, and not from
 * a worker.
 */
public final class MaintenanceService implements MaintenanceQueue, AutoCloseable {
  private final MaintenanceOptions options;
  private final MaintenanceContext context;
  private final TaskBoard board;

  /** Raised when a task has ended. */
  private final Signal ended;

  private final AtomicReference<@Nullable Throwable> poison = new AtomicReference<>();
  private final List<TaskExecutor.Handle> flushWorkers = new CopyOnWriteArrayList<>();
  private final List<TaskExecutor.Handle> mergeWorkers = new CopyOnWriteArrayList<>();

  private MaintenanceService(MaintenanceOptions options, MaintenanceContext context) {
    this.options = options;
    this.context = context;
    this.board = new TaskBoard(context.clock(), options.scheduler());
    this.ended = context.executor().newSignal();
  }

  /** Starts the workers of a node. */
  @MustBeClosed
  public static MaintenanceService start(MaintenanceOptions options, MaintenanceContext context) {
    MaintenanceService service = new MaintenanceService(options, context);
    context.spaces().onFreed(service::spaceFreed);
    service.setThreads(options.mergeThreads(), 1);
    return service;
  }

  /**
   * Has so many merges and flushes write at the same moment from their next batches on. Threads
   * that are not needed any more rest until the service ends. Called by one thread at a time, and
   * not after {@link #close}.
   *
   * @param merge from 1 to {@link MaintenanceOptions#MOST_THREADS}
   * @param flush in the same bounds
   */
  public void setThreads(int merge, int flush) {
    if (Math.min(merge, flush) < 1 || Math.max(merge, flush) > MaintenanceOptions.MOST_THREADS) {
      throw new IllegalArgumentException(merge + " merge threads, " + flush + " flush threads");
    }
    board.setThreads(merge, flush);
    startWorkers(Kind.MERGE, "varve-merge-", merge);
    startWorkers(Kind.FLUSH, "varve-flush-", flush);
    wake(Kind.MERGE);
    wake(Kind.FLUSH);
  }

  /**
   * Has merges go in this order, and those that are not of level 0 no faster than it says, from
   * their next batches on. What all flushes and merges may write together is the budget's matter.
   */
  public void setIo(Io io) {
    if (!io.equals(board.io())) {
      board.setIo(io);
      wake(Kind.MERGE);
    }
  }

  /** In which order and how fast merges go now. */
  public Io io() {
    return board.io();
  }

  /** How many merges write at the same moment. */
  public int mergeThreads() {
    return board.threads(Kind.MERGE);
  }

  /** How many flushes do. */
  public int flushThreads() {
    return board.threads(Kind.FLUSH);
  }

  private void startWorkers(Kind kind, String name, int count) {
    List<TaskExecutor.Handle> workers = workers(kind);
    while (workers.size() < count) {
      String own = name + (workers.size() + 1);
      workers.add(context.executor().start(new StepWorker(own, kind)));
    }
  }

  private List<TaskExecutor.Handle> workers(Kind kind) {
    return switch (kind) {
      case FLUSH -> flushWorkers;
      case MERGE -> mergeWorkers;
    };
  }

  @Override
  public void published() {
    context.listener().published();
  }

  @Override
  public void submit(MaintenanceTask task) {
    if (board.submit(task)) {
      wake(task.kind());
    } else {
      task.cancel();
    }
  }

  /** Changes which merges run, from their next batches on. */
  public void setScheduler(MergeScheduler scheduler) {
    board.setScheduler(scheduler);
    wake(Kind.MERGE); // one that the old scheduler held back may go now
  }

  /** Which merges run now. */
  public MergeScheduler scheduler() {
    return board.scheduler();
  }

  /** Whether no task waits or runs. */
  public boolean quiet() {
    return board.empty();
  }

  /** Waits until the service is quiet, or has been poisoned and has cancelled everything. */
  public Signal.Outcome awaitQuiet(long timeoutNanos) {
    return ended.await(board::empty, timeoutNanos);
  }

  /** What stopped the service, if anything has. */
  public Optional<Throwable> poison() {
    return Optional.ofNullable(poison.get());
  }

  /** Counts and progress up to now. */
  public MaintenanceStats stats() {
    return board.stats();
  }

  /**
   * Ends the service after its work: waits until it is quiet, tasks included that other tasks
   * submit at their end, then closes. An interrupt of the caller makes it close at once.
   */
  public void finish() {
    ended.await(board::empty, Signal.FOREVER);
    close();
  }

  /**
   * Ends the service without its work: waits for the steps that are under way and cancels every
   * task; inputs stay, so the same work comes up again when the indexes are opened. Idempotent.
   */
  @Override
  public void close() {
    try {
      cancelAll(board.close());
    } finally {
      flushWorkers.forEach(TaskExecutor.Handle::close);
      mergeWorkers.forEach(TaskExecutor.Handle::close);
    }
  }

  private void wake(Kind kind) {
    workers(kind).forEach(TaskExecutor.Handle::wake);
  }

  private void step(TaskRun run) {
    MaintenanceTask task = run.task();
    try {
      OptionalLong batch = write(run);
      if (batch.isEmpty()) {
        return;
      }
      board.stepped(run, batch.getAsLong());
      if (run.reserved()) {
        space(run).left(run.number(), task.outputBytes());
      }
      if (task.done()) {
        context.listener().finished(board.report(run));
        end(run, End.FINISHED);
      } else if (!board.giveBack(run)) {
        cancelAll(List.of(run));
      }
    } catch (StorageException e) {
      failed(run, e);
    } catch (RuntimeException | Error e) {
      try {
        poison(e);
      } finally {
        abandon(run, e);
      }
      throw e;
    }
    wake(Kind.MERGE); // a merge that another worker had may be free now
    if (flushWorkers.size() > 1) {
      wake(Kind.FLUSH); // the same of a flush
    }
  }

  /** Writes the batch that the budget let begin, and pays for it; empty when it may not write. */
  private OptionalLong write(TaskRun run) throws StorageException {
    long written = 0;
    try {
      if (!hasSpace(run)) {
        return OptionalLong.empty();
      }
      written = run.task().step(Math.min(options.batchBytes(), context.budget().batchBytes()));
      return OptionalLong.of(written);
    } finally {
      context.budget().end(IoPurpose.of(run.kind()), written, context.clock().nanoTime());
    }
  }

  /**
   * Whether a task may write: a merge whose result might not fit is not begun. It waits for merges
   * that will free their inputs, or is given up when there is none, so that nobody waits for it.
   */
  private boolean hasSpace(TaskRun run) throws StorageException {
    if (run.kind() == Kind.FLUSH || run.reserved()) {
      return true;
    }
    DiskSpace space = space(run);
    long releases = space.releases();
    DiskSpace.Answer answer = reserve(run);
    switch (answer.decision()) {
      case MADE:
        board.reserved(run);
        return true;
      case LATER:
        board.lacksSpace(run);
        if (space.releases() != releases) {
          board.spaceFreed(); // before it was on the board that this one waits for it
        }
        if (!board.giveBack(run)) {
          cancelAll(List.of(run));
        }
        return false;
      case REFUSED:
        DiskException full =
            new DiskException(
                run.task().describe(),
                "reserve "
                    + run.task().outputBytes()
                    + " bytes, with "
                    + answer.usableBytes()
                    + " left, for",
                null);
        run.task().refuse(full);
        throw full;
      default:
        throw new IllegalStateException("no such reservation");
    }
  }

  private DiskSpace.Answer reserve(TaskRun run) throws StorageException {
    try {
      return space(run).reserve(run.number(), run.task().outputBytes());
    } catch (StorageException e) {
      // It has not begun, so nobody but us knows that it is over.
      run.task().refuse(e);
      throw e;
    }
  }

  /** Where the result of a task goes. */
  private DiskSpace space(TaskRun run) {
    return context.spaces().of(run.task().directory());
  }

  private void spaceFreed() {
    board.spaceFreed();
    wake(Kind.MERGE);
  }

  private void failed(TaskRun run, StorageException cause) {
    try {
      context.listener().failed(board.report(run), cause);
      if (!(cause instanceof DiskException)) {
        poison(cause);
      }
    } finally {
      end(run, End.FAILED);
    }
  }

  /** Ends a task that broke its contract, as well as it can be done. */
  private void abandon(TaskRun run, Throwable cause) {
    try {
      run.task().cancel();
    } catch (RuntimeException | Error e) {
      suppress(cause, e);
    } finally {
      end(run, End.FAILED);
    }
  }

  private void poison(Throwable cause) {
    if (!poison.compareAndSet(null, cause)) {
      return;
    }
    try {
      cancelAll(board.close());
    } catch (RuntimeException | Error e) {
      suppress(cause, e);
    } finally {
      context.listener().poisoned(cause);
    }
  }

  /** Cancels every task, and only then throws what the first of them threw. */
  private void cancelAll(List<TaskRun> runs) {
    List<Throwable> problems = new ArrayList<>();
    for (TaskRun run : runs) {
      try {
        run.task().cancel();
      } catch (RuntimeException | Error e) {
        problems.add(e);
      } finally {
        end(run, End.CANCELLED);
      }
    }
    if (!problems.isEmpty()) {
      IllegalStateException all = new IllegalStateException("cancelling a task", problems.get(0));
      problems.stream().skip(1).forEach(all::addSuppressed);
      throw all;
    }
  }

  private void end(TaskRun run, End end) {
    board.end(run, end);
    space(run).release(run.number());
    ended.raise();
  }

  private static void suppress(Throwable cause, Throwable later) {
    if (later != cause) {
      cause.addSuppressed(later);
    }
  }

  /** Steps the tasks of one kind; confined to its thread. */
  private final class StepWorker implements Worker {
    private static final long NOT_PAUSED = Long.MIN_VALUE;

    private final String name;
    private final Kind kind;
    private long napNanos = Signal.FOREVER;
    private long pausedSince = NOT_PAUSED;

    StepWorker(String name, Kind kind) {
      this.name = name;
      this.kind = kind;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public int doWork() {
      napNanos = Signal.FOREVER;
      if (!board.waiting(kind) || pausesForBudget()) {
        return 0;
      }
      Optional<TaskRun> run = board.take(kind);
      if (run.isEmpty()) {
        context.budget().end(IoPurpose.of(kind), 0, context.clock().nanoTime());
        napNanos =
            switch (kind) {
              case FLUSH -> Signal.FOREVER;
              case MERGE -> board.mergeLookNanos();
            };
        return 0;
      }
      step(run.get());
      return 1;
    }

    private boolean pausesForBudget() {
      long now = context.clock().nanoTime();
      long wait = context.budget().begin(IoPurpose.of(kind), now);
      if (wait > 0) {
        napNanos = wait;
        pausedSince = pausedSince == NOT_PAUSED ? now : pausedSince;
      } else if (pausedSince != NOT_PAUSED) {
        board.pausedForBudget(kind, now - pausedSince);
        pausedSince = NOT_PAUSED;
      }
      return wait > 0;
    }

    /** Until the budget, or the rate of merges, allows the next batch. */
    @Override
    public long napNanos() {
      return napNanos;
    }

    @Override
    public void failed(Throwable cause) {
      poison(cause);
    }
  }
}
