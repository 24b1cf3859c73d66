package dev.varve.scheduler.watch;

import dev.varve.common.maintenance.MaintenanceTask.Kind;
import dev.varve.scheduler.admission.StallCause;
import dev.varve.scheduler.admission.Waiting;
import dev.varve.scheduler.service.TaskReport;
import dev.varve.scheduler.service.TaskReport.State;
import java.util.ArrayList;
import java.util.List;

/**
 * The watchdog: what must hold while writers wait, and since when nothing has moved. Immutable and
 * pure; each sample makes the next one.
 *
 * @param patienceNanos after which time without any movement a wait counts as stuck, although
 *     somebody could move
 * @param movement the node's count of movements at the last sample
 * @param movedNanos when it was last seen to change
 */
public record StallWatch(long patienceNanos, long movement, long movedNanos) {
  /** A wait that is shorter may be over before all of the sample is taken. */
  static final long SHORTEST_NANOS = 1_000_000_000;

  /** What must hold while writers wait. */
  public enum Rule {
    /** Whoever waits, waits for a flush or a merge that is there. */
    EVERY_WAIT_HAS_A_HOLDER,
    /** Of the merges that are there, one may go on. */
    SOME_MERGE_MAY_RUN,
    /** Nobody stays in a memory component whose flush others wait for. */
    WRITERS_LEAVE_SEALED_COMPONENTS,
    /** Flushes and merges move while writers wait for them. */
    WORK_MOVES_WHILE_WRITERS_WAIT
  }

  /**
   * A rule that does not hold.
   *
   * @param rule which
   * @param text who waits, for what, and what is wrong with it
   */
  public record Breach(Rule rule, String text) {}

  /** A watch that begins with a sample. */
  public static StallWatch begin(long patienceNanos, Sample first) {
    return new StallWatch(patienceNanos, first.movement(), first.nanos());
  }

  /** The watch after the next sample. */
  public StallWatch next(Sample sample) {
    return sample.movement() == movement
        ? this
        : new StallWatch(patienceNanos, sample.movement(), sample.nanos());
  }

  /** Which rules a sample breaks, after {@link #next} has seen it. */
  public List<Breach> breaches(Sample sample) {
    long stillNanos = sample.nanos() - movedNanos;
    List<Breach> breaches = new ArrayList<>();
    for (Waiting waiting : sample.waits()) {
      boolean forOthers = !waiting.cause().paces() && waiting.cause() != StallCause.DISK_SPACE;
      if (forOthers && waiting.nanos() >= SHORTEST_NANOS && stillNanos >= SHORTEST_NANOS) {
        addBreaches(waiting, sample.stats().tasks(), stillNanos, breaches);
      }
    }
    return breaches;
  }

  private void addBreaches(
      Waiting waiting, List<TaskReport> tasks, long stillNanos, List<Breach> breaches) {
    List<TaskReport> holders = WaitChain.holders(waiting, tasks);
    if (waitsForAnotherEngine(holders, tasks)) {
      return;
    }
    if (holders.isEmpty() && waiting.occupied().isEmpty()) {
      breaches.add(
          breach(
              Rule.EVERY_WAIT_HAS_A_HOLDER,
              waiting,
              "no flush or merge of it is there to wait for"));
    } else if (WaitChain.isForMerges(waiting.cause())
        && holders.stream().noneMatch(task -> task.state() == State.RUNNING)) {
      breaches.add(
          breach(Rule.SOME_MERGE_MAY_RUN, waiting, "the scheduler lets none of the merges go on"));
    } else if (stillNanos >= patienceNanos && noFlush(holders) && !waiting.occupied().isEmpty()) {
      breaches.add(
          breach(
              Rule.WRITERS_LEAVE_SEALED_COMPONENTS,
              waiting,
              "a transaction has not ended that the flush of "
                  + String.join(", ", waiting.occupied())
                  + " waits for"));
    } else if (stillNanos >= patienceNanos) {
      breaches.add(
          breach(
              Rule.WORK_MOVES_WHILE_WRITERS_WAIT,
              waiting,
              "nothing was written for "
                  + stillNanos / SHORTEST_NANOS
                  + " s, and first would be "
                  + holders.get(0).description()));
    }
  }

  /**
   * Whether no merge has space, and none of this engine will free any: those that hold it are other
   * engines' on the device, which have watches of their own.
   */
  private static boolean waitsForAnotherEngine(List<TaskReport> holders, List<TaskReport> tasks) {
    return !holders.isEmpty()
        && holders.stream().allMatch(task -> task.state() == State.NO_SPACE)
        && tasks.stream()
            .filter(task -> task.kind() == Kind.MERGE)
            .noneMatch(task -> task.state() == State.RUNNING || task.state() == State.PAUSED);
  }

  private static boolean noFlush(List<TaskReport> holders) {
    return holders.stream().noneMatch(task -> task.kind() == Kind.FLUSH);
  }

  private static Breach breach(Rule rule, Waiting waiting, String problem) {
    return new Breach(
        rule,
        waiting.writers()
            + " writers of '"
            + waiting.dataset()
            + "' wait since "
            + waiting.nanos() / SHORTEST_NANOS
            + " s for "
            + waiting.cause()
            + " ("
            + waiting.holder()
            + "), and "
            + problem);
  }
}
