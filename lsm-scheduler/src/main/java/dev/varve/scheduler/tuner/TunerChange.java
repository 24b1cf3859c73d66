package dev.varve.scheduler.tuner;

/**
 * A setting that took another's place.
 *
 * @param seconds when, in observed time since the tuner began
 * @param before what held
 * @param after what holds from then on
 * @param reason why, with numbers, for people
 */
public record TunerChange(double seconds, TunerSetting before, TunerSetting after, String reason) {}
