package dev.varve.benchmarks.index;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.child.ChildLink;
import dev.varve.benchmarks.child.ChildStarter;
import dev.varve.benchmarks.child.Children;
import dev.varve.benchmarks.measure.Measurement;
import dev.varve.benchmarks.measure.Outcome;
import dev.varve.benchmarks.measure.Pace;
import dev.varve.benchmarks.measure.Work;
import dev.varve.benchmarks.measure.Work.Effort;
import dev.varve.benchmarks.measure.Work.Span;
import dev.varve.benchmarks.report.Section;
import dev.varve.benchmarks.report.SectionWatcher;
import dev.varve.report.Figures;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Goes through phases, and in each phase through the stores, one at a time: queries in rounds, so
 * that all stores meet the same state of the machine. Stores that loaded everything must find the
 * same; one that finds something else has failed, as has one that throws, and is left out of what
 * follows. Confined to the main thread, but for {@link #stop}.
 */
public final class IndexComparison {
  /** Seconds that a request may take beyond what it should: a machine can be busy. */
  private static final double PATIENCE_SECONDS = 300;

  private final List<IndexContender> contenders;
  private final List<IndexPhase> phases;
  private final Children children;
  private final SectionWatcher watcher;
  private final Map<IndexContender, ChildLink> links = new LinkedHashMap<>();
  private final Map<IndexContender, String> failures = new HashMap<>();
  private final Map<IndexContender, String> shortfalls = new HashMap<>();

  /** A comparison; all contenders are given the same count and pace. */
  public IndexComparison(
      List<IndexContender> contenders,
      List<IndexPhase> phases,
      ChildStarter starter,
      SectionWatcher watcher) {
    this.contenders = List.copyOf(contenders);
    this.phases = List.copyOf(phases);
    this.children = new Children(starter);
    this.watcher = watcher;
  }

  /** Ends it as soon as possible; may be called from any thread. */
  public void stop() {
    children.stop();
  }

  /**
   * Runs all phases.
   *
   * @throws BenchmarkException when it was stopped
   */
  public List<Section> run() throws BenchmarkException {
    List<Section> sections = new ArrayList<>();
    try {
      for (IndexPhase phase : phases) {
        watcher.begins(phase.id(), 0);
        Section section = run(phase);
        sections.add(section);
        watcher.ended(section);
      }
    } finally {
      links.values().forEach(ChildLink::close);
    }
    return sections;
  }

  private Section run(IndexPhase phase) throws BenchmarkException {
    Map<IndexContender, List<Measurement>> measured = new HashMap<>();
    int rounds = phase.kind().asks() ? contenders.get(0).settings().pace().rounds() : 1;
    int turns = rounds * contenders.size();
    for (int turn = 0; turn < turns; turn++) {
      IndexContender contender = contenders.get(turn % contenders.size());
      if (failures.containsKey(contender) || contender.refusals().containsKey(phase.id())) {
        continue;
      }
      double begun = turn / (double) turns;
      DoubleConsumer progress = share -> watcher.progress(begun + share / turns, contender.label());
      progress.accept(0);
      try {
        Measurement one = ask(contender, phase, turn / contenders.size(), progress);
        measured.computeIfAbsent(contender, absent -> new ArrayList<>()).add(one);
      } catch (BenchmarkException failure) {
        if (children.stopped()) {
          throw failure;
        }
        failures.put(contender, String.valueOf(failure.getMessage()));
      }
    }
    compare(phase, measured);
    List<Outcome> outcomes =
        contenders.stream().map(each -> outcome(phase, each, measured.get(each))).toList();
    return new Section(phase.id(), phase.title(), phase.columns(), phase.decisive(), outcomes);
  }

  private Measurement ask(
      IndexContender contender, IndexPhase phase, int round, DoubleConsumer progress)
      throws BenchmarkException {
    ChildLink link = links.get(contender);
    if (link == null) {
      link = children.start(contender.label(), contender.jvmArguments());
      links.put(contender, link);
    }
    IndexSettings settings = contender.settings();
    Pace pace = settings.pace();
    Effort effort =
        Effort.lasting(1, phase.kind().asks() ? pace.windowSeconds() : pace.capSeconds());
    Work work = new Work(phase.id(), round, new Span(0, settings.count()), effort);
    IndexRequest request = new IndexRequest(contender.label(), settings, work);
    double seconds = pace.capSeconds() * 2 + PATIENCE_SECONDS;
    Measurement measurement = link.ask(request, Measurement.class, seconds, progress);
    if (measurement == null) {
      throw new BenchmarkException("a child measured nothing in " + phase.id());
    }
    if (phase.kind() == IndexPhase.Kind.LOAD) {
      if (measurement.operations() < contender.settings().count()) {
        shortfalls.put(contender, "holds " + Figures.count(measurement.operations()) + " only");
      } else {
        shortfalls.remove(contender);
      }
    }
    return measurement;
  }

  /** Stores that hold everything must find what the first of them finds. */
  private void compare(IndexPhase phase, Map<IndexContender, List<Measurement>> measured) {
    Long expected = null;
    for (IndexContender contender : contenders) {
      for (Measurement one : measured.getOrDefault(contender, List.of())) {
        long digest = one.found().digest();
        if (digest == 0 || shortfalls.containsKey(contender)) {
          continue;
        }
        if (expected == null) {
          expected = digest;
        } else if (expected != digest) {
          failures.put(
              contender, "other results in " + phase.id() + " than " + contenders.get(0).label());
        }
      }
    }
  }

  private Outcome outcome(
      IndexPhase phase, IndexContender contender, @Nullable List<Measurement> measured) {
    String refusal = contender.refusals().get(phase.id());
    String failure = failures.get(contender);
    if (failure != null) {
      return Outcome.failed(contender.label(), failure);
    }
    if (refusal != null || measured == null) {
      return Outcome.unsupported(contender.label(), String.valueOf(refusal));
    }
    return Outcome.of(contender.label(), measured).noting(shortfalls.getOrDefault(contender, ""));
  }
}
