package dev.varve.scheduler.budget;

/**
 * What merges that have begun may still write to a device. Immutable and pure.
 *
 * @param claims how many there are; each frees the space of its input at its end
 * @param promisedBytes the most that they will still write together
 */
record SpaceState(int claims, long promisedBytes) {
  /** What becomes of a merge that wants to begin. */
  DiskSpace.Decision decide(long usableBytes, long neededBytes) {
    if (usableBytes - promisedBytes >= neededBytes) {
      return DiskSpace.Decision.MADE;
    }
    return claims > 0 ? DiskSpace.Decision.LATER : DiskSpace.Decision.REFUSED;
  }
}
