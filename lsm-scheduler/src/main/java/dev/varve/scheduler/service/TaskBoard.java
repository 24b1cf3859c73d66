package dev.varve.scheduler.service;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.varve.common.env.Clock;
import dev.varve.common.env.Signal;
import dev.varve.common.maintenance.MaintenanceTask;
import dev.varve.common.maintenance.MaintenanceTask.Depth;
import dev.varve.common.maintenance.MaintenanceTask.Kind;
import dev.varve.common.maintenance.MergeAllocation;
import dev.varve.common.maintenance.MergeProgress;
import dev.varve.common.maintenance.MergeScheduler;
import dev.varve.scheduler.scheduling.BandwidthShares;
import dev.varve.scheduler.scheduling.IndexArbiter;
import dev.varve.scheduler.service.MaintenanceStats.FlushTimes;
import dev.varve.scheduler.service.TaskRun.Space;
import dev.varve.scheduler.service.TaskRun.Written;
import dev.varve.scheduler.tuner.TunerSetting.Io;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * All tasks that have not ended, and the counts of those that have. A task is on the board from its
 * submission until its end is told; a worker takes it for one step and gives it back. Thread-safe;
 * nothing but the pure scheduler is called under its lock.
 */
final class TaskBoard {
  /** How a task left the board. */
  enum End {
    FINISHED,
    FAILED,
    CANCELLED
  }

  /** Of how many indexes it is kept how long their flushes took. */
  private static final int MOST_FLUSH_TIMES = 4096;

  private final Clock clock;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private MergeScheduler scheduler;

  @GuardedBy("lock")
  private final BandwidthShares shares = new BandwidthShares();

  @GuardedBy("lock")
  private final Map<Long, TaskRun> runs = new LinkedHashMap<>();

  @GuardedBy("lock")
  private final Tally flushes = new Tally();

  @GuardedBy("lock")
  private final Tally merges = new Tally();

  /** Of each index that has tasks on the board. */
  @GuardedBy("lock")
  private final Map<String, IndexTally> indexes = new HashMap<>();

  /** Which merges go first, and how fast the others may be. */
  @GuardedBy("lock")
  private Io io = Io.OPEN;

  /** What merges other than those of level 0 have moved. */
  @GuardedBy("lock")
  private MergeRate deeperMerges = MergeRate.UNLIMITED;

  /** After which time a merge may be taken that could not be when one was asked for last. */
  @GuardedBy("lock")
  private long mergeLookNanos = Signal.FOREVER;

  @GuardedBy("lock")
  private long submitted;

  @GuardedBy("lock")
  private boolean closed;

  private volatile int size;

  @GuardedBy("lock")
  private long mergeReadBytes;

  @GuardedBy("lock")
  private FlushTimes allFlushTimes = FlushTimes.NONE;

  /** By index, of those that were flushed last. */
  @GuardedBy("lock")
  private final Map<String, FlushTimes> flushTimes =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, FlushTimes> eldest) {
          return size() > MOST_FLUSH_TIMES;
        }
      };

  /** Up to when the use of threads is counted. */
  @GuardedBy("lock")
  private long usedUntilNanos;

  TaskBoard(Clock clock, MergeScheduler scheduler) {
    this.clock = clock;
    this.scheduler = scheduler;
    this.usedUntilNanos = clock.nanoTime();
  }

  /** From now on so many tasks of each kind are taken at the same moment. */
  void setThreads(int mergeThreads, int flushThreads) {
    lock.lock();
    try {
      countUse();
      merges.threads = mergeThreads;
      flushes.threads = flushThreads;
    } finally {
      lock.unlock();
    }
  }

  /** From the next batch on merges go in this order, and at this rate. */
  void setIo(Io other) {
    lock.lock();
    try {
      countUse();
      deeperMerges = deeperMerges.at(other.mergeBytesPerSecond(), clock.nanoTime());
      io = other;
    } finally {
      lock.unlock();
    }
  }

  /** In which order and how fast merges go now. */
  Io io() {
    lock.lock();
    try {
      return io;
    } finally {
      lock.unlock();
    }
  }

  /** When a worker that found no merge to take should look again, if nothing else happens. */
  long mergeLookNanos() {
    lock.lock();
    try {
      return mergeLookNanos;
    } finally {
      lock.unlock();
    }
  }

  /** How many tasks of a kind are taken at the same moment at most. */
  int threads(Kind kind) {
    lock.lock();
    try {
      return tally(kind).threads;
    } finally {
      lock.unlock();
    }
  }

  /** Adds up what threads had since this was called last; called before that changes. */
  @GuardedBy("lock")
  private void countUse() {
    long now = clock.nanoTime();
    long passed = now - usedUntilNanos;
    usedUntilNanos = now;
    if (!runs.isEmpty()) {
      merges.usedNanos += passed * Math.min(merges.threads, allocate().shares().size());
      flushes.usedNanos += passed * Math.min(flushes.threads, nextFlushes().size());
    }
  }

  /** Puts a task on the board; false when the board is closed. */
  boolean submit(MaintenanceTask task) {
    lock.lock();
    try {
      if (closed) {
        return false;
      }
      countUse();
      IndexTally index = indexes.computeIfAbsent(task.index(), unknown -> new IndexTally());
      index.tasks++;
      TaskRun run =
          new TaskRun(
              ++submitted,
              task,
              clock.nanoTime(),
              new Written(merges.writtenBytes, index.mergedBytes));
      runs.put(run.number(), run);
      size = runs.size();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** From the next batch on, this scheduler is asked. */
  void setScheduler(MergeScheduler other) {
    lock.lock();
    try {
      countUse();
      scheduler = other;
    } finally {
      lock.unlock();
    }
  }

  /** Whether no task is on the board. */
  boolean empty() {
    return size == 0;
  }

  /** Whether there is a task of a kind that no worker has. */
  boolean waiting(Kind kind) {
    lock.lock();
    try {
      return runs.values().stream().anyMatch(run -> run.kind() == kind && !run.taken());
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes the oldest flush of an index that has none taken, or the merge whose turn it is by the
   * shares of the scheduler; nothing when as many are taken as there are threads.
   */
  Optional<TaskRun> take(Kind kind) {
    lock.lock();
    try {
      long taken = runs.values().stream().filter(run -> run.kind() == kind && run.taken()).count();
      if (taken >= tally(kind).threads) {
        return Optional.empty();
      }
      Optional<TaskRun> next =
          switch (kind) {
            case FLUSH -> oldestFlush();
            case MERGE -> nextMerge();
          };
      next.ifPresent(this::take);
      return next;
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private Optional<TaskRun> oldestFlush() {
    return nextFlushes().stream().limit(flushes.threads).filter(run -> !run.taken()).findFirst();
  }

  /** The oldest flush of each index, oldest first: those of one index stay in order. */
  @GuardedBy("lock")
  private List<TaskRun> nextFlushes() {
    Map<String, TaskRun> oldest = new LinkedHashMap<>();
    runs.values().stream()
        .filter(run -> run.kind() == Kind.FLUSH)
        .forEach(run -> oldest.putIfAbsent(run.index(), run));
    return List.copyOf(oldest.values());
  }

  @GuardedBy("lock")
  private Optional<TaskRun> nextMerge() {
    MergeAllocation allocation = allocate();
    long wait = deeperMerges.waitNanos(clock.nanoTime());
    mergeLookNanos = Signal.FOREVER;
    Set<Long> free = new HashSet<>();
    for (MergeAllocation.Share share : allocation.shares()) {
      TaskRun run = runs.get(share.number());
      if (run == null || run.kind() != Kind.MERGE) {
        throw new IllegalStateException(
            scheduler.describe() + " allocated " + share.number() + ", which is no merge");
      }
      if (wait > 0 && run.depth() == Depth.DEEPER) {
        mergeLookNanos = wait;
      } else if (!run.taken()) {
        free.add(run.number());
      }
    }
    OptionalLong next = shares.next(allocation, free::contains);
    return next.isPresent() ? Optional.ofNullable(runs.get(next.getAsLong())) : Optional.empty();
  }

  /** What the scheduler gives to the merges that may go on; nothing when there is none. */
  @GuardedBy("lock")
  private MergeAllocation allocate() {
    return switch (io.order()) {
      case AS_SCHEDULED -> allocate(merge -> true);
      case LEVEL_ZERO_FIRST ->
          IndexArbiter.before(
              allocate(merge -> merge.depth() == Depth.LEVEL_ZERO),
              allocate(merge -> merge.depth() == Depth.DEEPER),
              merges.threads);
    };
  }

  @GuardedBy("lock")
  private MergeAllocation allocate(Predicate<TaskRun> among) {
    MergeScheduler.Scope scope = scheduler.scope();
    Map<String, List<MergeProgress>> merging = new LinkedHashMap<>();
    for (TaskRun run : runs.values()) {
      if (run.kind() == Kind.MERGE && !run.lacksSpace() && among.test(run)) {
        Written written = new Written(merges.writtenBytes, index(run).mergedBytes);
        merging
            .computeIfAbsent(run.index(), first -> new ArrayList<>())
            .add(run.progress(scope, written));
      }
    }
    return merging.isEmpty()
        ? new MergeAllocation(List.of())
        : IndexArbiter.allocate(scheduler, merging.values());
  }

  @GuardedBy("lock")
  private void take(TaskRun run) {
    boolean first = !run.started();
    long now = clock.nanoTime();
    run.take(now);
    if (first) {
      Tally tally = tally(run.kind());
      tally.longestQueuedNanos =
          Math.max(
              tally.longestQueuedNanos, run.report(TaskReport.State.RUNNING, now).queuedNanos());
    }
  }

  /** Accounts for a step of a task that the caller has taken. */
  void stepped(TaskRun run, long writtenBytes) {
    long remaining = run.task().remainingInputBytes();
    lock.lock();
    try {
      if (run.kind() == Kind.MERGE) {
        long read = Math.max(0, run.remainingInputBytes() - remaining);
        mergeReadBytes += read;
        if (run.depth() == Depth.DEEPER) {
          deeperMerges = deeperMerges.moved(read + writtenBytes, clock.nanoTime());
        }
      }
      run.stepped(writtenBytes, remaining);
      tally(run.kind()).writtenBytes += writtenBytes;
      if (run.kind() == Kind.MERGE) {
        shares.written(run.number(), writtenBytes);
        index(run).mergedBytes += writtenBytes;
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Gives a task back that has not ended.
   *
   * @return false when the board is closed: then the caller keeps the task, and has to end it
   */
  boolean giveBack(TaskRun run) {
    lock.lock();
    try {
      if (!closed) {
        run.giveBack();
      }
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  /** Removes a task that has ended. */
  void end(TaskRun run, End end) {
    lock.lock();
    try {
      if (!runs.containsKey(run.number())) {
        return;
      }
      countUse();
      runs.remove(run.number());
      if (run.kind() == Kind.FLUSH && end == End.FINISHED) {
        FlushTimes one = new FlushTimes(1, clock.nanoTime() - run.submittedNanos());
        flushTimes.merge(run.index(), one, FlushTimes::plus);
        allFlushTimes = allFlushTimes.plus(one);
      }
      size = runs.size();
      shares.ended(run.number());
      forgetLacks();
      if (--index(run).tasks == 0) {
        indexes.remove(run.index());
      }
      Tally tally = tally(run.kind());
      switch (end) {
        case FINISHED -> tally.finished++;
        case FAILED -> tally.failed++;
        case CANCELLED -> tally.cancelled++;
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Lets no more tasks on the board and takes those that no worker has; workers end the others.
   *
   * @return the tasks taken, for the caller to cancel and end
   */
  List<TaskRun> close() {
    lock.lock();
    try {
      closed = true;
      long now = clock.nanoTime();
      List<TaskRun> idle = new ArrayList<>();
      Iterator<TaskRun> all = runs.values().iterator();
      while (all.hasNext()) {
        TaskRun run = all.next();
        if (!run.taken()) {
          run.take(now);
          idle.add(run);
        }
      }
      return idle;
    } finally {
      lock.unlock();
    }
  }

  boolean closed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /** Counts a pause of a worker. */
  void pausedForBudget(Kind kind, long nanos) {
    lock.lock();
    try {
      tally(kind).budgetNanos += nanos;
    } finally {
      lock.unlock();
    }
  }

  TaskReport report(TaskRun run) {
    lock.lock();
    try {
      return run.report(TaskReport.State.RUNNING, clock.nanoTime());
    } finally {
      lock.unlock();
    }
  }

  /** The scheduler that is asked now. */
  MergeScheduler scheduler() {
    lock.lock();
    try {
      return scheduler;
    } finally {
      lock.unlock();
    }
  }

  MaintenanceStats stats() {
    lock.lock();
    try {
      countUse();
      long now = clock.nanoTime();
      Set<Long> named = new HashSet<>();
      allocate().shares().forEach(share -> named.add(share.number()));
      return new MaintenanceStats(
          flushes.counts(waitingCount(Kind.FLUSH)),
          merges.counts(waitingCount(Kind.MERGE)),
          runs.values().stream().map(run -> run.report(state(run, named), now)).toList(),
          new MaintenanceStats.Threads(
              merges.threads,
              flushes.threads,
              merges.usedNanos,
              flushes.usedNanos,
              mergeReadBytes,
              allFlushTimes.nanos()),
          flushTimes);
    } finally {
      lock.unlock();
    }
  }

  private static TaskReport.State state(TaskRun run, Set<Long> named) {
    boolean goesOn =
        switch (run.kind()) {
          case FLUSH -> run.started();
          case MERGE -> named.contains(run.number());
        };
    if (goesOn) {
      return TaskReport.State.RUNNING;
    }
    if (run.lacksSpace()) {
      return TaskReport.State.NO_SPACE;
    }
    return run.started() ? TaskReport.State.PAUSED : TaskReport.State.WAITING;
  }

  /** The disk space that a merge may need, which the caller has taken, is its own. */
  void reserved(TaskRun merge) {
    lock.lock();
    try {
      merge.reserve();
    } finally {
      lock.unlock();
    }
  }

  /** There is no space for a merge, which the caller has taken, until some is freed. */
  void lacksSpace(TaskRun merge) {
    lock.lock();
    try {
      merge.setLacksSpace(Space.LACKING);
    } finally {
      lock.unlock();
    }
  }

  /** A merge of some engine has freed space: it is worth looking again. */
  void spaceFreed() {
    lock.lock();
    try {
      forgetLacks();
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void forgetLacks() {
    runs.values().forEach(run -> run.setLacksSpace(Space.UNKNOWN));
  }

  @GuardedBy("lock")
  private int waitingCount(Kind kind) {
    return (int) runs.values().stream().filter(run -> run.kind() == kind && !run.started()).count();
  }

  @GuardedBy("lock")
  private IndexTally index(TaskRun run) {
    return Objects.requireNonNull(indexes.get(run.index()));
  }

  @GuardedBy("lock")
  private Tally tally(Kind kind) {
    return switch (kind) {
      case FLUSH -> flushes;
      case MERGE -> merges;
    };
  }

  /** What is counted of an index; guarded by the board's lock. */
  private static final class IndexTally {
    private int tasks;
    private long mergedBytes;
  }

  /** Counters of one kind; guarded by the board's lock. */
  private static final class Tally {
    private int threads = 1;
    private long usedNanos;
    private long finished;
    private long failed;
    private long cancelled;
    private long writtenBytes;
    private long longestQueuedNanos;
    private long budgetNanos;

    MaintenanceStats.Counts counts(int waiting) {
      return new MaintenanceStats.Counts(
          finished, failed, cancelled, writtenBytes, waiting, longestQueuedNanos, budgetNanos);
    }
  }
}
