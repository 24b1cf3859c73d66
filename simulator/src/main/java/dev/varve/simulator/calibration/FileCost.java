package dev.varve.simulator.calibration;

import dev.varve.simulator.KeyModel;

/**
 * Keys whose every component takes as much more as some entries would: what a file costs whatever
 * is in it. Immutable.
 *
 * @param keys which keys are written
 * @param fileEntries the cost of a file, in entries
 */
record FileCost(KeyModel keys, @Override double fileEntries) implements KeyModel {
  @Override
  public double entries(double loaded, double updates) {
    return keys.entries(loaded, updates) + fileEntries;
  }

  @Override
  public String describe() {
    return keys.describe();
  }
}
