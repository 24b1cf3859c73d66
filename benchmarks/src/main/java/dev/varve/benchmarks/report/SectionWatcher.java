package dev.varve.benchmarks.report;

/** Is told how a comparison goes. */
public interface SectionWatcher {
  /** A phase begins. */
  void begins(String id);

  /** A phase has come so far, of 1. */
  void progress(double share, String what);

  /** A phase is over. */
  void ended(Section section);
}
