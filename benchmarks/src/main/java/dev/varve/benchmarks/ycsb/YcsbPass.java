package dev.varve.benchmarks.ycsb;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.measure.Labelled;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import site.ycsb.workloads.CoreWorkload;

/**
 * A workload with its choice of keys.
 *
 * @param workload the mix of operations
 * @param choice which keys they are about
 */
public record YcsbPass(YcsbWorkload workload, Choice choice) {
  private static final String UNIFORM_SUFFIX = "-uniform";

  /** How the keys of operations are chosen. */
  public enum Choice implements Labelled {
    /** As YCSB gives it: some keys much more often than others, in D the latest ones. */
    ZIPFIAN,
    /** All keys alike. */
    UNIFORM;

    @Override
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** All workloads with each choice. */
  public static List<YcsbPass> all(List<Choice> choices, List<YcsbWorkload> workloads) {
    List<YcsbPass> passes = new ArrayList<>();
    for (Choice choice : choices) {
      workloads.forEach(workload -> passes.add(new YcsbPass(workload, choice)));
    }
    return passes;
  }

  /** The pass with a label. */
  static YcsbPass of(String label) throws BenchmarkException {
    boolean uniform = label.endsWith(UNIFORM_SUFFIX);
    String workload =
        uniform ? label.substring(0, label.length() - UNIFORM_SUFFIX.length()) : label;
    return new YcsbPass(
        Labelled.find(YcsbWorkload.values(), workload)
            .orElseThrow(() -> new BenchmarkException("no workload is called " + label)),
        uniform ? Choice.UNIFORM : Choice.ZIPFIAN);
  }

  /** Its name in ids of phases. */
  String label() {
    return workload.label() + (choice == Choice.UNIFORM ? UNIFORM_SUFFIX : "");
  }

  /** Its name in tables. */
  String name() {
    return choice == Choice.UNIFORM ? workload + ", uniform" : workload.toString();
  }

  /** What tells YCSB of it. */
  Properties properties(long records, long operations) {
    Properties properties = workload.properties(records, operations);
    if (choice == Choice.UNIFORM) {
      properties.setProperty(CoreWorkload.REQUEST_DISTRIBUTION_PROPERTY, choice.label());
    }
    return properties;
  }
}
