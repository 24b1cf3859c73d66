package dev.varve.benchmarks.sustainable;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.measure.Machine;
import dev.varve.benchmarks.measure.Work;
import dev.varve.common.env.Clock;
import dev.varve.simulator.Arrivals;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs both phases of each policy: the maximum under fair, because every level's merges go on under
 * it, and then the same arrivals under each scheduler. Confined to its caller.
 */
public final class TwoPhaseRun {
  private static final String TESTED_WITH = "fair";

  private final TwoPhaseSettings settings;
  private final PhaseRunner runner;
  private final Consumer<String> begins;
  private final Consumer<PhaseOutcome> ended;
  private final List<PhaseOutcome> outcomes = new ArrayList<>();

  /**
   * A run that has not begun.
   *
   * @param begins told the label of each phase
   * @param ended told what came of it
   */
  public TwoPhaseRun(
      TwoPhaseSettings settings,
      PhaseRunner runner,
      Consumer<String> begins,
      Consumer<PhaseOutcome> ended) {
    this.settings = settings;
    this.runner = runner;
    this.begins = begins;
    this.ended = ended;
  }

  /**
   * Runs everything.
   *
   * @param time when it began, for the report
   */
  public TwoPhaseResults run(Clock clock, String time) throws BenchmarkException {
    long begin = clock.nanoTime();
    for (String policy : settings.policies()) {
      String arrivals = settings.arrivals();
      if (arrivals == null) {
        double maximum =
            phase(PhaseRequest.TESTING, policy, TESTED_WITH, Arrivals.closed().describe())
                .recordsPerSecond();
        if (!(maximum > 0)) {
          throw new BenchmarkException(policy + ": the testing phase took no record; run longer");
        }
        arrivals = Arrivals.constant(settings.utilization() * maximum).describe();
      }
      for (String scheduler : settings.schedulers()) {
        phase(PhaseRequest.RUNNING, policy, scheduler, arrivals);
      }
    }
    return new TwoPhaseResults(
        "bench twophase",
        Machine.here(time),
        settings,
        outcomes,
        Verdict.of(outcomes),
        (clock.nanoTime() - begin) / 1e9);
  }

  private PhaseOutcome phase(String name, String policy, String scheduler, String arrivals)
      throws BenchmarkException {
    PhaseRequest request =
        new PhaseRequest(
            new Work(
                name,
                0,
                new Work.Span(0, settings.scale().records()),
                Work.Effort.lasting(1, settings.seconds())),
            policy,
            scheduler,
            arrivals,
            settings.tuner(),
            settings.scale());
    begins.accept(request.label());
    PhaseOutcome outcome = runner.run(request);
    outcomes.add(outcome);
    ended.accept(outcome);
    return outcome;
  }
}
