package dev.varve.benchmarks.reproduce;

import dev.varve.benchmarks.measure.Measurement;
import dev.varve.benchmarks.measure.Measurement.Sample;
import dev.varve.benchmarks.report.Section;
import java.util.List;
import java.util.Optional;

/**
 * What claims and drawings ask about phases; NaN where something was not measured.
 *
 * @param sections the phases
 */
record Courses(List<Section> sections) {
  private Optional<Measurement> of(String phase, Tree tree) {
    return sections.stream()
        .filter(section -> section.id().equals(phase))
        .findFirst()
        .flatMap(section -> section.of(tree.label()));
  }

  /** Milliseconds of a query, on average. */
  double millis(String phase, Tree tree) {
    return of(phase, tree).map(Courses::millis).orElse(Double.NaN);
  }

  private static double millis(Measurement measured) {
    return 1e3 * measured.seconds() / measured.operations();
  }

  /** Pages that a query read, on average. */
  double misses(String phase, Tree tree) {
    return of(phase, tree)
        .map(measured -> measured.found().cacheMisses() / (double) measured.operations())
        .orElse(Double.NaN);
  }

  /** Seconds of a phase, background work included. */
  double settledSeconds(String phase, Tree tree) {
    return of(phase, tree).map(Measurement::settledSeconds).orElse(Double.NaN);
  }

  /** The parts of a course. */
  List<Sample> parts(String phase, Tree tree) {
    return of(phase, tree).map(Measurement::samples).orElse(List.of());
  }

  /** Operations a second over parts of the course, from a share of it to another, of 1. */
  double rate(String phase, Tree tree, double from, double to) {
    assert from >= 0 && from < to && to <= 1 : "from " + from + " to " + to;
    List<Sample> parts = parts(phase, tree);
    return 1
        / parts.subList((int) (from * parts.size()), (int) (to * parts.size())).stream()
            .mapToDouble(part -> 1 / part.operationsPerSecond())
            .average()
            .orElse(Double.NaN);
  }

  /** Operations a second of the fastest part. */
  double fastest(String phase, Tree tree) {
    return parts(phase, tree).stream()
        .mapToDouble(Sample::operationsPerSecond)
        .max()
        .orElse(Double.NaN);
  }

  /** The share of the parts behind the first fifth in which one tree is faster than another. */
  double shareFaster(String phase, Tree tree, Tree than) {
    List<Sample> parts = parts(phase, tree);
    List<Sample> others = parts(phase, than);
    int first = parts.size() / 5;
    if (parts.isEmpty() || parts.size() != others.size()) {
      return Double.NaN;
    }
    int faster = 0;
    for (int part = first; part < parts.size(); part++) {
      if (parts.get(part).operationsPerSecond() > others.get(part).operationsPerSecond()) {
        faster++;
      }
    }
    return faster / (double) (parts.size() - first);
  }
}
