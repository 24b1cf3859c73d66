package dev.varve.benchmarks.store;

/** A session whose tests can see what it has read. */
interface ShowsReads {
  /** Where its rows go. */
  RowBuffer row();
}
