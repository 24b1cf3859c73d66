package dev.varve.common.testkit;

/**
 * The simulated machine stopped. An {@link Error}, so that no clean-up of the engine takes it for a
 * failure that it could handle: from here on the process does not exist.
 */
public final class SimulatedCrash extends Error {
  private static final long serialVersionUID = 1L;

  SimulatedCrash(String where) {
    super("crashed " + where);
  }
}
