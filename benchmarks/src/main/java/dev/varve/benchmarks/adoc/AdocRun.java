package dev.varve.benchmarks.adoc;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.child.ChildLink;
import dev.varve.benchmarks.child.ChildStarter;
import dev.varve.benchmarks.child.Children;
import dev.varve.benchmarks.kv.ScratchFiles;
import dev.varve.benchmarks.measure.Labelled;
import dev.varve.benchmarks.measure.Outcome;
import dev.varve.benchmarks.measure.Work;
import dev.varve.benchmarks.report.Metric;
import dev.varve.benchmarks.report.Section;
import dev.varve.benchmarks.report.SectionWatcher;
import dev.varve.common.env.FileSystem;
import dev.varve.common.error.DiskException;
import dev.varve.simulator.FlowDevice;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleConsumer;

/**
 * Goes through devices and workloads, and in each through the tuners, one at a time and in turn,
 * each run in a process and a directory of its own. Confined to the main thread, but for {@link
 * #stop}.
 */
public final class AdocRun {
  private static final double PATIENCE_SECONDS = 1_800;

  /** What a process takes to start and to end. */
  private static final double SECONDS_AROUND = 3;

  /** The heap of a node: its memory components, its cache, and what keys of a load take. */
  private static final List<String> JVM_ARGUMENTS = List.of("-Xmx1g");

  private static final List<Metric> COLUMNS =
      List.of(
          Metric.RATE,
          Metric.P50,
          Metric.P99,
          Metric.P999,
          Metric.LONGEST,
          Metric.WRITTEN,
          Metric.DISK);

  private final Plan plan;
  private final FileSystem files;
  private final Children children;
  private final SectionWatcher watcher;
  private final List<Run> runs = new ArrayList<>();

  /**
   * What is compared.
   *
   * @param devices of the paper, by the paper's bandwidths
   * @param workloads of the paper
   * @param tuners as {@code TunerText} reads them
   * @param scale how small the nodes are
   * @param effort how many rounds, and how long each
   */
  public record Plan(
      List<FlowDevice> devices,
      List<AdocWorkload> workloads,
      List<String> tuners,
      AdocScale scale,
      Effort effort) {
    /** Copies the lists, and checks that nothing is missing. */
    public Plan {
      devices = List.copyOf(devices);
      workloads = List.copyOf(workloads);
      tuners = List.copyOf(tuners);
      if (devices.isEmpty() || workloads.isEmpty() || tuners.isEmpty()) {
        throw new IllegalArgumentException("there is no device, no workload or no tuner");
      }
    }

    private int runs() {
      return devices.size() * workloads.size() * tuners.size() * effort.rounds;
    }

    /** About how long everything takes. */
    public double estimatedSeconds() {
      return runs() * (effort.seconds + SECONDS_AROUND);
    }
  }

  /**
   * How often and how long.
   *
   * @param rounds of each tuner, in turn with the others
   * @param seconds of each
   */
  public record Effort(int rounds, double seconds) {
    /** Checks the numbers. */
    public Effort {
      if (rounds < 1 || !(seconds >= 1)) {
        throw new IllegalArgumentException(
            rounds + " rounds of " + seconds + " s; there must be one, and a second");
      }
    }
  }

  /**
   * What came of a run.
   *
   * @param device by its name
   * @param workload by its label
   * @param tuner which
   * @param answer what was measured
   */
  public record Run(String device, String workload, String tuner, AdocRequest.Answer answer) {}

  /** A comparison that has not begun. */
  public AdocRun(Plan plan, FileSystem files, ChildStarter starter, SectionWatcher watcher) {
    this.plan = plan;
    this.files = files;
    this.children = new Children(starter);
    this.watcher = watcher;
  }

  /** The workload that is named as the task. */
  static AdocWorkload workload(Work work) {
    return Labelled.find(AdocWorkload.values(), work.task()).orElseThrow();
  }

  /** Ends it as soon as possible; may be called from any thread. */
  public void stop() {
    children.stop();
  }

  /** All runs so far, in the order in which they ended. */
  public List<Run> runs() {
    return List.copyOf(runs);
  }

  /**
   * Runs everything.
   *
   * @param directory where the nodes are, one at a time
   */
  public List<Section> run(Path directory) throws BenchmarkException, DiskException {
    List<Section> sections = new ArrayList<>();
    for (FlowDevice device : plan.devices) {
      for (AdocWorkload workload : plan.workloads) {
        Section section = run(device, workload, directory);
        watcher.ended(section);
        sections.add(section);
      }
    }
    return sections;
  }

  private Section run(FlowDevice device, AdocWorkload workload, Path directory)
      throws BenchmarkException, DiskException {
    String id = id(device, workload);
    int all = plan.tuners.size() * plan.effort.rounds;
    watcher.begins(id, all * (plan.effort.seconds + SECONDS_AROUND));
    Map<String, String> failures = new HashMap<>();
    int done = 0;
    for (int round = 0; round < plan.effort.rounds; round++) {
      for (String tuner : plan.tuners) {
        double before = (double) done++ / all;
        try {
          AdocRequest.Answer answer =
              ask(
                  new AdocRequest(
                      new AdocRequest.Node(directory, device.bytesPerSecond(), tuner),
                      plan.scale,
                      work(workload, round)),
                  share -> watcher.progress(before + share / all, tuner));
          runs.add(new Run(device.name(), workload.label(), tuner, answer));
        } catch (BenchmarkException failure) {
          if (children.stopped()) {
            throw failure;
          }
          failures.put(tuner, String.valueOf(failure.getMessage()));
        } finally {
          ScratchFiles.delete(directory, files);
        }
      }
    }
    return new Section(
        id,
        device.name() + " at a part of " + plan.scale.part() + ", " + workload.title(),
        COLUMNS,
        Metric.RATE,
        plan.tuners.stream().map(tuner -> outcome(device, workload, tuner, failures)).toList());
  }

  static String id(FlowDevice device, AdocWorkload workload) {
    return device.name().toLowerCase(Locale.ROOT).replace(' ', '-') + "." + workload.label();
  }

  private Work work(AdocWorkload workload, int round) {
    boolean ycsb = workload.startsLoaded() || workload == AdocWorkload.LOAD;
    long records = ycsb ? plan.scale.ycsbRecords() : plan.scale.keys();
    long operations = workload == AdocWorkload.LOAD ? records : Work.Effort.ENDLESS;
    double seconds = plan.effort.seconds;
    return new Work(
        workload.label(),
        round,
        new Work.Span(0, records),
        new Work.Effort(1, operations, seconds, seconds));
  }

  private AdocRequest.Answer ask(AdocRequest request, DoubleConsumer progress)
      throws BenchmarkException, DiskException {
    files.createDirectories(request.node().directory());
    try (ChildLink link = children.start("adoc", JVM_ARGUMENTS)) {
      AdocRequest.Answer answer =
          link.ask(
              request, AdocRequest.Answer.class, plan.effort.seconds + PATIENCE_SECONDS, progress);
      if (answer == null) {
        throw new BenchmarkException("the process said nothing");
      }
      return answer;
    }
  }

  private Outcome outcome(
      FlowDevice device, AdocWorkload workload, String tuner, Map<String, String> failures) {
    List<AdocRequest.Answer> answers =
        runs.stream()
            .filter(
                run ->
                    run.device.equals(device.name())
                        && run.workload.equals(workload.label())
                        && run.tuner.equals(tuner))
            .map(Run::answer)
            .toList();
    String failure = failures.get(tuner);
    if (failure != null || answers.isEmpty()) {
      return Outcome.failed(tuner, String.valueOf(failure));
    }
    AdocRequest.Answer last = answers.get(answers.size() - 1);
    return Outcome.of(tuner, answers.stream().map(AdocRequest.Answer::measurement).toList())
        .noting(last.note());
  }
}
