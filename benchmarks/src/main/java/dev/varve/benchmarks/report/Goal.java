package dev.varve.benchmarks.report;

import dev.varve.benchmarks.measure.Measurement;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * Where the first store must stand, as data.
 *
 * @param title what it is about
 * @param phase id of the phase that decides
 * @param metric the figure that decides
 * @param factor how many times the best of the peers it must be; without peers the bound itself
 * @param against id of the phase whose figures it is held against
 * @param peers the stores whose figures count, of which the best is the bound
 * @param store the store that must stand there
 */
public record Goal(
    String title,
    String phase,
    Metric metric,
    double factor,
    String against,
    List<String> peers,
    String store) {
  private static final String VARVE = "varve";

  /** How many stores there are to be compared with: a goal against each of them says so. */
  private static final int ALL_PEERS = 5;

  /** A goal of the product. */
  public Goal(
      String title,
      String phase,
      Metric metric,
      double factor,
      String against,
      List<String> peers) {
    this(title, phase, metric, factor, against, peers, VARVE);
  }

  /** The same of another store. */
  public Goal of(String other) {
    return new Goal(title, phase, metric, factor, against, peers, other);
  }

  /** A goal within one phase. */
  public static Goal goal(String title, String id, Metric metric, double factor, String... peers) {
    return new Goal(title, id, metric, factor, id, List.of(peers));
  }

  /** How a goal stands. */
  public enum Status {
    /** As demanded. */
    MET("met"),
    /** Not as demanded. */
    MISSED("NOT MET"),
    /** A phase or store that it needs did not run. */
    OPEN("not measured");

    private final String text;

    Status(String text) {
      this.text = text;
    }
  }

  /**
   * What came of a goal.
   *
   * @param title what it is about
   * @param phase id of the phase that decides
   * @param metric the figure that decides
   * @param demand what is demanded, in words
   * @param bound what the figure must reach, or stay below; 0 when nothing was measured
   * @param found the figure; 0 when nothing was measured
   * @param status how it stands
   * @param reason why it is missed, in a line; empty when it is not
   */
  public record Outcome(
      String title,
      String phase,
      String metric,
      String demand,
      double bound,
      double found,
      Status status,
      String reason) {
    static final List<String> HEADINGS =
        List.of("goal", "phase", "figure", "demand", "bound", "found", "");

    List<String> cells() {
      boolean open = status == Status.OPEN;
      return List.of(
          title,
          phase,
          metric,
          demand,
          open ? "-" : Metric.text(bound),
          open ? "-" : Metric.text(found),
          status.text);
    }

    /** Whether it is missed. */
    boolean isMissed() {
      return status == Status.MISSED;
    }
  }

  /** Holds results against it. */
  public Outcome check(List<Section> sections) {
    OptionalDouble found = figures(sections, phase, List.of(store)).findFirst();
    OptionalDouble bound = bound(sections);
    if (found.isEmpty() || bound.isEmpty()) {
      return new Outcome(title, phase, metric.label(), demand(), 0, 0, Status.OPEN, "");
    }
    boolean met =
        metric.higherIsBetter()
            ? found.getAsDouble() >= bound.getAsDouble()
            : found.getAsDouble() <= bound.getAsDouble();
    return new Outcome(
        title,
        phase,
        metric.label(),
        demand(),
        bound.getAsDouble(),
        found.getAsDouble(),
        met ? Status.MET : Status.MISSED,
        met ? "" : reason(sections));
  }

  private String reason(List<Section> sections) {
    if (peers.isEmpty() || !against.equals(phase)) {
      return "the bound is a number of our own, of no peer in this phase";
    }
    Comparator<Double> order = Comparator.naturalOrder();
    Comparator<Map.Entry<String, Measurement>> best =
        Map.Entry.comparingByValue(
            Comparator.comparing(metric::of, metric.higherIsBetter() ? order : order.reversed()));
    Map<String, Measurement> measured = new LinkedHashMap<>();
    for (Section section : sections) {
      if (section.id().equals(phase)) {
        Stream.concat(peers.stream(), Stream.of(store))
            .forEach(each -> section.comparable(each).ifPresent(one -> measured.put(each, one)));
      }
    }
    Measurement own = Objects.requireNonNull(measured.remove(store));
    Map.Entry<String, Measurement> peer = Collections.max(measured.entrySet(), best);
    return new Shortfall(metric, own, peer.getKey(), peer.getValue()).line();
  }

  private OptionalDouble bound(List<Section> sections) {
    if (peers.isEmpty()) {
      return OptionalDouble.of(factor);
    }
    DoubleStream figures = figures(sections, against, peers);
    OptionalDouble best = metric.higherIsBetter() ? figures.max() : figures.min();
    return best.isPresent() ? OptionalDouble.of(best.getAsDouble() * factor) : best;
  }

  private DoubleStream figures(List<Section> sections, String id, List<String> stores) {
    return sections.stream()
        .filter(section -> section.id().equals(id))
        .flatMap(section -> stores.stream().flatMap(store -> section.comparable(store).stream()))
        .mapToDouble(metric::of);
  }

  private String demand() {
    String direction = metric.higherIsBetter() ? "at least" : "at most";
    if (peers.isEmpty()) {
      return direction + " " + Metric.text(factor);
    }
    String of = against.equals(phase) ? String.join(", ", peers) : against;
    if (peers.size() > 1) {
      of = "the best of " + (peers.size() == ALL_PEERS ? "all" : of);
    }
    return String.format(Locale.ROOT, "%s %s x %s", direction, factor, of);
  }
}
