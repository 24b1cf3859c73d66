package dev.varve.scheduler.watch;

import dev.varve.scheduler.admission.Waiting;
import dev.varve.scheduler.service.MaintenanceStats;
import java.util.List;

/**
 * A node at one moment.
 *
 * @param nanos the moment
 * @param waits who waits
 * @param stats flushes and merges, taken after {@code waits}
 */
public record Sample(long nanos, List<Waiting> waits, MaintenanceStats stats) {
  /** Copies the list. */
  public Sample {
    waits = List.copyOf(waits);
  }

  /** Grows whenever a flush or merge writes a byte or ends. */
  long movement() {
    return movement(stats.flushes()) + movement(stats.merges());
  }

  private static long movement(MaintenanceStats.Counts counts) {
    return counts.writtenBytes() + counts.finished() + counts.failed() + counts.cancelled();
  }
}
