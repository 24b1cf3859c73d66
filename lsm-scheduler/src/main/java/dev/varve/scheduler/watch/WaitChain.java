package dev.varve.scheduler.watch;

import dev.varve.common.maintenance.MaintenanceTask.Kind;
import dev.varve.scheduler.admission.StallCause;
import dev.varve.scheduler.admission.Waiting;
import dev.varve.scheduler.service.TaskReport;
import dev.varve.scheduler.service.TaskReport.State;
import java.util.List;
import java.util.OptionalLong;

/**
 * Which flushes and merges a wait is for, the ones that must end first in front. Pure; no state.
 */
public final class WaitChain {
  private WaitChain() {}

  /**
   * The tasks that a wait is for.
   *
   * @param tasks all tasks of the node, in the order of their submission
   */
  public static List<TaskReport> holders(Waiting waiting, List<TaskReport> tasks) {
    return switch (waiting.cause()) {
      case MEMORY_FULL, LOG_SPACE, DISK_SPACE -> flushes(waiting, tasks);
      case MEMORY_BUDGET -> tasks.stream().filter(task -> task.kind() == Kind.FLUSH).toList();
      case COMPONENT_LIMIT, PENDING_BYTES -> merges(waiting, tasks);
      // The gate lets writers go on after a time: they wait for nobody.
      case LEVEL_ZERO_PACE, PENDING_BYTES_PACE, PACE -> List.of();
    };
  }

  /** Whether writers wait for merges of an index. */
  static boolean isForMerges(StallCause cause) {
    return cause == StallCause.COMPONENT_LIMIT || cause == StallCause.PENDING_BYTES;
  }

  /** The flushes of the dataset, and those that go before them: flushes run in order. */
  private static List<TaskReport> flushes(Waiting waiting, List<TaskReport> tasks) {
    OptionalLong last =
        tasks.stream()
            .filter(task -> task.kind() == Kind.FLUSH && waiting.indexes().contains(task.index()))
            .mapToLong(TaskReport::number)
            .max();
    return tasks.stream()
        .filter(task -> task.kind() == Kind.FLUSH && task.number() <= last.orElse(-1))
        .toList();
  }

  /** The merges of the index; when none of them has the disk, also the ones that have it. */
  private static List<TaskReport> merges(Waiting waiting, List<TaskReport> tasks) {
    List<TaskReport> own =
        tasks.stream()
            .filter(task -> task.kind() == Kind.MERGE && task.index().equals(waiting.index()))
            .toList();
    if (own.isEmpty() || own.stream().anyMatch(task -> task.state() == State.RUNNING)) {
      return own;
    }
    return tasks.stream()
        .filter(task -> task.kind() == Kind.MERGE)
        .filter(task -> task.state() == State.RUNNING || own.contains(task))
        .toList();
  }
}
