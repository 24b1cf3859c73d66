package dev.varve.simulator.evaluation;

/** Is told about every write, by the writer. */
@FunctionalInterface
public interface WriteListener {
  /**
   * A write has ended.
   *
   * @param dueNanos when it arrived, whether or not the writer was free
   * @param begunNanos when the writer took it on
   * @param endedNanos when it was acknowledged
   */
  void written(long dueNanos, long begunNanos, long endedNanos);
}
