package dev.varve.simulator.reproduction;

import java.util.function.Function;

/**
 * Something that the paper says about a figure.
 *
 * @param paper what it says
 * @param check what the simulation says to it
 */
record Claim(String paper, Function<Outcomes, Finding> check) {
  /**
   * What was found.
   *
   * @param holds whether it is as the paper says
   * @param found the numbers that decide it
   */
  record Finding(boolean holds, String found) {}
}
