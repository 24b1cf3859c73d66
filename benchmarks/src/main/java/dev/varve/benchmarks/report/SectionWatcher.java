package dev.varve.benchmarks.report;

/** Is told how a comparison goes. */
public interface SectionWatcher {
  /**
   * A phase begins.
   *
   * @param seconds how long it will take, roughly; 0 where that is not known
   */
  void begins(String id, double seconds);

  /** A phase has come so far, of 1. */
  void progress(double share, String what);

  /** A phase is over. */
  void ended(Section section);
}
