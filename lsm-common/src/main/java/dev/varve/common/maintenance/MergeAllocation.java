package dev.varve.common.maintenance;

import java.util.List;

/**
 * Which merges may run now.
 *
 * @param running task numbers, the one that goes first first: a merge thread takes the first that
 *     no other thread has; who isn't named waits or pauses
 */
public record MergeAllocation(List<Long> running) {
  /** Copies the list. */
  public MergeAllocation {
    running = List.copyOf(running);
  }
}
