package dev.varve.scheduler.budget;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * One member's doors to the space of all devices that its merges write to: which of them a merge
 * needs is told by the directory of its index. Thread-safe. Closing it closes the doors.
 */
public final class DiskSpaces implements AutoCloseable {
  private final DiskSpace first;
  private final List<Map.Entry<Path, DiskSpace>> below;

  /**
   * Some doors.
   *
   * @param below the door to what holds a directory, by that directory; at least one
   */
  public DiskSpaces(List<Map.Entry<Path, DiskSpace>> below) {
    this.below = List.copyOf(below);
    this.first = below.get(0).getValue();
  }

  /** One door for all directories. */
  public static DiskSpaces of(DiskSpace space) {
    return new DiskSpaces(List.of(Map.entry(Path.of(""), space)));
  }

  /** The door for results in a directory: the first one where nothing is known of it. */
  public DiskSpace of(Path directory) {
    for (Map.Entry<Path, DiskSpace> each : below) {
      if (directory.startsWith(each.getKey())) {
        return each.getValue();
      }
    }
    return first;
  }

  /** From now on this is run, by any thread, whenever a merge on one of the devices has ended. */
  public void onFreed(Runnable action) {
    below.forEach(each -> each.getValue().onFreed(action));
  }

  /** Gives back what its merges have reserved; idempotent. None of them writes any more. */
  @Override
  public void close() {
    below.forEach(each -> each.getValue().close());
  }
}
