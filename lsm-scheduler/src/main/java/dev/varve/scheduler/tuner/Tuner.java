package dev.varve.scheduler.tuner;

/**
 * Sets what a node has of threads, memory and bandwidth, from what it observes of its data flow.
 * Immutable; what is remembered from window to window is in the {@link Course} of one run. Pure: no
 * clock, no I/O, no threads; equal observations give equal decisions.
 */
public interface Tuner {
  /** What a tuner does with the device's bandwidth. */
  enum Bandwidth {
    /** It leaves it as it is. */
    UNTOUCHED,
    /** It sets what flushes and merges may write together, within what the device does. */
    RATE,
    /** It gives merges a rate or an order of their own, which only the simulator has. */
    SPLIT
  }

  /**
   * Begins to tune a node.
   *
   * @param configured what the node is configured to
   * @param limits between what it may be set
   */
  Course start(TunerSetting configured, TunerLimits limits);

  /**
   * Where writers slow down and stop under this tuner, when the node's gate is RocksDB's write
   * controller: as configured, unless leaving a limit out is a part of the tuner.
   */
  default WriteLimits writeLimits(WriteLimits configured) {
    return configured;
  }

  /** What it does with the device's bandwidth; unless it says so, nothing. */
  default Bandwidth bandwidth() {
    return Bandwidth.UNTOUCHED;
  }

  /** Name and parameters, as {@link TunerText} reads them. */
  String describe();

  /** One node being tuned. Confined to one thread. */
  interface Course {
    /** What holds before the first window. */
    TunerSetting initial();

    /**
     * What is to hold from now on.
     *
     * @param window what was observed last
     * @param inForce what held meanwhile, which may not be what was decided: see {@link TunerRun}
     */
    TunerDecision decide(FlowObservation window, TunerSetting inForce);
  }
}
