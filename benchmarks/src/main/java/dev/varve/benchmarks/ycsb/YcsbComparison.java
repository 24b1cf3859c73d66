package dev.varve.benchmarks.ycsb;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.child.ChildLink;
import dev.varve.benchmarks.child.ChildStarter;
import dev.varve.benchmarks.child.Children;
import dev.varve.benchmarks.measure.Measurement;
import dev.varve.benchmarks.measure.Outcome;
import dev.varve.benchmarks.measure.Work;
import dev.varve.benchmarks.measure.Work.Effort;
import dev.varve.benchmarks.report.Goal;
import dev.varve.benchmarks.report.Metric;
import dev.varve.benchmarks.report.Section;
import dev.varve.benchmarks.report.SectionWatcher;
import dev.varve.benchmarks.store.ColdFiles;
import dev.varve.common.env.FileSystem;
import dev.varve.common.error.DiskException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Loads each store, and then goes through the workloads, and in each through the stores, one at a
 * time: a child opens the store, whose files are in no cache, and runs the workload twice, and once
 * more with operations that arrive at a pace where there is one. A pace that is a part of what the
 * store keeps up is found as <i>On Performance Stability in LSM-based Storage Systems</i> does, in
 * two phases: as fast as the store takes them for as long, and then at that part. A store that
 * fails, or gives a wrong answer, is left out of what follows. Confined to the main thread, but for
 * {@link #stop}.
 */
public final class YcsbComparison {
  /** What opening and closing a store may take, before its child is taken for hung. */
  private static final double PATIENCE_SECONDS = 600;

  /** And what a pass may take on top. */
  private static final double SLOWEST_PER_SECOND = 200;

  private static final List<Metric> COLUMNS =
      List.of(
          Metric.RATE,
          Metric.P50,
          Metric.P99,
          Metric.P999,
          Metric.LONGEST,
          Metric.CPU,
          Metric.WRITTEN,
          Metric.READ,
          Metric.DISK,
          Metric.MEMORY);

  private final YcsbSettings settings;
  private final List<YcsbStore> stores;
  private final FileSystem files;
  private final Children children;
  private final SectionWatcher watcher;
  private final Map<YcsbStore, String> failures = new EnumMap<>(YcsbStore.class);
  private final Map<YcsbStore, Long> records = new EnumMap<>(YcsbStore.class);

  /**
   * Which pass over a workload.
   *
   * @param name in ids of phases
   * @param title in words
   * @param factor how many times the best of the peers the first store must be
   */
  private record Temperature(String name, String title, double factor) {
    static final Temperature COLD = new Temperature("cold", "just opened, files in no cache", 1);
    static final Temperature WARM = new Temperature("warm", "once more in the same process", 2);
    static final Temperature SUSTAINED =
        new Temperature("sustained", "once more, for as long as operations then arrive", 1);
    static final Temperature PACED =
        new Temperature("paced", "once more, timed from when operations arrive", 1);

    static List<Temperature> all(@Nullable YcsbArrivals arrivals) {
      if (arrivals == null) {
        return List.of(COLD, WARM);
      }
      return arrivals.passes() == 1
          ? List.of(COLD, WARM, PACED)
          : List.of(COLD, WARM, SUSTAINED, PACED);
    }

    String id(YcsbPass pass) {
      return pass.label() + "." + name;
    }
  }

  /** A comparison that has not begun. */
  public YcsbComparison(
      YcsbSettings settings,
      List<YcsbStore> stores,
      FileSystem files,
      ChildStarter starter,
      SectionWatcher watcher) {
    this.settings = settings;
    this.stores = List.copyOf(stores);
    this.files = files;
    this.children = new Children(starter);
    this.watcher = watcher;
  }

  /** Where the first store must stand; see {@link #run}. */
  public static List<Goal> goals(List<YcsbPass> passes, @Nullable YcsbArrivals arrivals) {
    List<Goal> goals = new ArrayList<>();
    String[] peers = {YcsbStore.ROCKSDB.label(), YcsbStore.ROCKSDB_DEFAULT.label()};
    for (YcsbPass pass : passes) {
      for (Temperature each : List.of(Temperature.COLD, Temperature.WARM)) {
        String title = pass.name() + ", " + each.name;
        goals.add(Goal.goal(title, each.id(pass), Metric.RATE, each.factor, peers));
      }
      for (Metric metric :
          arrivals != null ? List.of(Metric.P999, Metric.LONGEST) : List.<Metric>of()) {
        String title = pass.name() + ", " + Temperature.PACED.name;
        goals.add(
            Goal.goal(title, Temperature.PACED.id(pass), metric, Temperature.PACED.factor, peers));
      }
    }
    return goals;
  }

  /** Ends it as soon as possible; may be called from any thread. */
  public void stop() {
    children.stop();
  }

  /**
   * Loads and runs everything.
   *
   * @param arrivals pace of the last pass over each workload; null for none
   * @throws BenchmarkException when it was stopped
   */
  public List<Section> run(List<YcsbPass> passes, @Nullable YcsbArrivals arrivals)
      throws BenchmarkException, DiskException {
    List<Section> sections = new ArrayList<>();
    sections.add(load());
    for (YcsbPass pass : passes) {
      sections.addAll(run(pass, arrivals));
    }
    return sections;
  }

  private Section load() throws BenchmarkException, DiskException {
    watcher.begins(YcsbRequest.LOAD, 0);
    List<Outcome> outcomes = new ArrayList<>();
    for (YcsbStore store : stores) {
      files.createDirectories(settings.of(store).directory());
      records.put(store, settings.records().count());
      Work work = work(YcsbRequest.LOAD, settings.records().count(), settings.records().count());
      outcomes.addAll(inChild(store, new Course(List.of(work), null, "")));
    }
    String title =
        "Insert records of %,d bytes, keys in random order".formatted(settings.records().bytes());
    return ended(YcsbRequest.LOAD, title, outcomes);
  }

  private List<Section> run(YcsbPass pass, @Nullable YcsbArrivals arrivals)
      throws BenchmarkException {
    watcher.begins(pass.label(), 0);
    List<List<Outcome>> ofStores = new ArrayList<>();
    for (YcsbStore store : stores) {
      String note = "";
      if (!failures.containsKey(store) && !ColdFiles.drop(settings.of(store).directory())) {
        note = "files may be in the system's cache";
      }
      Work work =
          work(
              pass.label(),
              records.getOrDefault(store, settings.records().count()),
              pass.workload().operations(settings.operations()));
      ofStores.add(inChild(store, new Course(List.of(work, work), arrivals, note)));
    }
    List<Section> sections = new ArrayList<>();
    for (Temperature each : Temperature.all(arrivals)) {
      int number = sections.size();
      sections.add(ended(each, pass, ofStores.stream().map(passes -> passes.get(number)).toList()));
    }
    return sections;
  }

  private Work work(String task, long count, long operations) {
    return new Work(
        task, 0, new Work.Span(0, count), Effort.complete(settings.threads(), operations));
  }

  private Section ended(Temperature each, YcsbPass pass, List<Outcome> outcomes) {
    String title = "%s: %s; %s".formatted(pass.name(), pass.workload().title(), each.title);
    return ended(each.id(pass), title, outcomes);
  }

  private Section ended(String id, String title, List<Outcome> outcomes) {
    assert outcomes.size() == stores.size();
    Section section = new Section(id, title, COLUMNS, Metric.RATE, outcomes);
    watcher.ended(section);
    return section;
  }

  /**
   * What a child does.
   *
   * @param works as fast as the store takes them
   * @param arrivals pace of the last of them, done once more, after one that finds what the store
   *     keeps up if the pace is a part of that; null for not
   * @param note on the first of them
   */
  private record Course(List<Work> works, @Nullable YcsbArrivals arrivals, String note) {
    int passes() {
      return works.size() + (arrivals == null ? 0 : arrivals.passes());
    }

    YcsbRequest.Paced pass(int number, List<Outcome> before) {
      Work work = works.get(Math.min(number, works.size() - 1));
      if (arrivals == null || number < works.size()) {
        return new YcsbRequest.Paced(work, 0);
      }
      Measurement last = Objects.requireNonNull(before.get(number - 1).measurement());
      if (number < passes() - 1) {
        return new YcsbRequest.Paced(arrivals.arriving(work, last.operationsPerSecond()), 0);
      }
      double rate = arrivals.after(last);
      return new YcsbRequest.Paced(arrivals.arriving(work, rate), rate);
    }
  }

  /** Runs passes over one store in a child of its own, which closes the store at the end. */
  private List<Outcome> inChild(YcsbStore store, Course course) throws BenchmarkException {
    List<Outcome> outcomes = new ArrayList<>();
    String before = failures.get(store);
    if (before == null) {
      try (ChildLink link = children.start(store.label(), settings.jvmArguments())) {
        for (int number = 0; number < course.passes(); number++) {
          YcsbRequest.Paced pass = course.pass(number, outcomes);
          YcsbAnswer answer = ask(link, store, pass);
          if (answer == null) {
            throw new BenchmarkException("a pass measured nothing");
          }
          outcomes.add(outcome(store, answer).noting(number == 0 ? course.note : ""));
          if (!pass.work().task().equals(YcsbRequest.LOAD)) {
            records.merge(store, answer.inserted(), Long::sum);
          }
        }
        ask(link, store, null);
      } catch (BenchmarkException failure) {
        if (children.stopped()) {
          throw failure;
        }
        before = String.valueOf(failure.getMessage());
        failures.put(store, before);
      }
    }
    assert before != null || outcomes.size() == course.passes();
    while (outcomes.size() < course.passes()) {
      outcomes.add(Outcome.failed(store.label(), String.valueOf(before)));
    }
    return outcomes;
  }

  private @Nullable YcsbAnswer ask(
      ChildLink link, YcsbStore store, YcsbRequest.@Nullable Paced pass) throws BenchmarkException {
    double operations = pass == null ? 0 : pass.work().effort().operations();
    return link.ask(
        new YcsbRequest(store, settings.of(store), settings.maintenance(), pass),
        YcsbAnswer.class,
        PATIENCE_SECONDS + operations / SLOWEST_PER_SECOND,
        share -> watcher.progress((stores.indexOf(store) + share) / stores.size(), store.label()));
  }

  private static Outcome outcome(YcsbStore store, YcsbAnswer answer) throws BenchmarkException {
    long wrong = answer.measurement().wrongAnswers();
    if (wrong > 0) {
      throw new BenchmarkException("%,d wrong answers".formatted(wrong));
    }
    return Outcome.of(store.label(), List.of(answer.measurement()));
  }
}
