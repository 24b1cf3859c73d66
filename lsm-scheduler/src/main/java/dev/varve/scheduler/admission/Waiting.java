package dev.varve.scheduler.admission;

import java.util.List;

/**
 * Writers of one dataset that wait at its gate.
 *
 * @param dataset its name
 * @param cause what they wait for
 * @param holder who or what is in the way, for people
 * @param index the index that it is about; empty when it is about all of the dataset
 * @param indexes every index of the dataset
 * @param occupied the indexes that have a full memory component which a writer has not left: its
 *     flush cannot begin before
 * @param writers how many wait
 * @param nanos for how long at least one of them has been waiting
 */
public record Waiting(
    String dataset,
    StallCause cause,
    String holder,
    String index,
    List<String> indexes,
    List<String> occupied,
    int writers,
    long nanos) {
  /** Copies the lists. */
  public Waiting {
    indexes = List.copyOf(indexes);
    occupied = List.copyOf(occupied);
  }
}
