package dev.varve.scheduler.tuner;

/**
 * Sets what a node has of threads, memory and bandwidth, from what it observes of its data flow.
 * Immutable; what is remembered from window to window is in the {@link Course} of one run. Pure: no
 * clock, no I/O, no threads; equal observations give equal decisions.
 */
public interface Tuner {
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

  /** Whether it has to be told what flushes and merges may write to the device. */
  default boolean needsRate() {
    return false;
  }

  /** Whether pacing writers is a part of it, so that it brings RocksDB's write controller along. */
  default boolean pacesWriters() {
    return false;
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
