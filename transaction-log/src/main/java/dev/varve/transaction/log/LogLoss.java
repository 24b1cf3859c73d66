package dev.varve.transaction.log;

/** What opening does when records are damaged or missing of which it is proven that they were. */
public enum LogLoss {
  /** It refuses, names the place and changes nothing. */
  REFUSE,
  /**
   * The log ends before the first of them: they are lost, and those behind them as well. What was
   * dropped is reported and its segments are kept aside.
   */
  ACCEPT
}
