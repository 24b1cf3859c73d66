package dev.varve.dataset;

import dev.varve.common.testkit.Seeds;
import dev.varve.scheduler.tuner.FlowObservation;
import dev.varve.scheduler.tuner.Tuner;
import dev.varve.scheduler.tuner.TunerDecision;
import dev.varve.scheduler.tuner.TunerLimits;
import dev.varve.scheduler.tuner.TunerSetting;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.random.RandomGenerator;

/** Decides as a test says, and keeps what it was told. Confined, and for one engine at a time. */
final class ScriptedTuner implements Tuner {
  final List<FlowObservation> windows = new ArrayList<>();
  private final Script script;
  TunerSetting configured;
  TunerLimits limits;

  /** Begins to decide. */
  interface Script {
    Course start(TunerSetting configured, TunerLimits limits);
  }

  ScriptedTuner(Script script) {
    this.script = script;
  }

  /** Another setting in every window. */
  static ScriptedTuner restless(long seed) {
    RandomGenerator random = Seeds.random(seed);
    return always(
        (configured, inForce) ->
            inForce
                .withThreads(2 + random.nextInt(12))
                .withMemoryBytes(1 + random.nextLong(configured.memoryBytes())));
  }

  /** A setting made of what is configured and what is in force. */
  static ScriptedTuner always(BinaryOperator<TunerSetting> next) {
    return new ScriptedTuner(
        (configured, limits) ->
            new Course() {
              @Override
              public TunerSetting initial() {
                return configured;
              }

              @Override
              public TunerDecision decide(FlowObservation window, TunerSetting inForce) {
                return new TunerDecision(next.apply(configured, inForce), "the script says so");
              }
            });
  }

  @Override
  public Course start(TunerSetting from, TunerLimits between) {
    configured = from;
    limits = between;
    Course course = script.start(from, between);
    return new Course() {
      @Override
      public TunerSetting initial() {
        return course.initial();
      }

      @Override
      public TunerDecision decide(FlowObservation window, TunerSetting inForce) {
        windows.add(window);
        return course.decide(window, inForce);
      }
    };
  }

  @Override
  public String describe() {
    return "scripted";
  }
}
