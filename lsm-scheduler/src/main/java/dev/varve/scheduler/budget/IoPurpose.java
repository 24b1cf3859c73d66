package dev.varve.scheduler.budget;

import dev.varve.common.maintenance.MaintenanceTask;

/** What is written, in the order in which a device serves it. */
public enum IoPurpose {
  /** A memory component becomes a disk component. */
  FLUSH,
  /** Disk components become one. */
  MERGE,
  /**
   * What counts is written again so that the space of what does not comes back: after everything
   * else, but for a share of the rate that it has in any case.
   */
  RECLAIM;

  /** That of a task. */
  public static IoPurpose of(MaintenanceTask.Kind kind) {
    return switch (kind) {
      case FLUSH -> FLUSH;
      case MERGE -> MERGE;
    };
  }
}
