package dev.varve.simulator;

/**
 * Which keys are written, as far as the sizes of components depend on it. A component is known by
 * two numbers: how many of the initially loaded keys it holds, each in that component only, and how
 * many updates went into it, each to a key drawn on its own. Both add up in a merge, and the number
 * of different keys follows from them; what is lost on the way are the older versions that a merge
 * reclaims. Pure. Immutable.
 */
public interface KeyModel {
  /**
   * How many different keys that are not deleted a component holds, in expectation.
   *
   * @param loaded initially loaded keys that were merged into it
   * @param updates updates that were merged into it
   */
  double entries(double loaded, double updates);

  /**
   * How many of them are what a file costs, whatever is in it: a component that is cut has that
   * once for each of its files.
   */
  default double fileEntries() {
    return 0;
  }

  /**
   * How much antimatter a component has beside them, if an older one is there.
   *
   * @param updates that were merged into it
   */
  default double antimatter(double updates) {
    return 0;
  }

  /** Name and parameters, as options and reports write them. */
  String describe();
}
