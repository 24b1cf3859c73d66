package dev.varve.scheduler.tuner;

/**
 * What a tuner wants, and why.
 *
 * @param setting from now on; the one in force for no change
 * @param reason with numbers, for people; empty for no change
 */
public record TunerDecision(TunerSetting setting, String reason) {
  /** Everything stays as it is. */
  static TunerDecision stay(TunerSetting inForce) {
    return new TunerDecision(inForce, "");
  }
}
