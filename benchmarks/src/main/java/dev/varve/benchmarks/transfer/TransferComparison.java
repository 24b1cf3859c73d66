package dev.varve.benchmarks.transfer;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.child.ChildLink;
import dev.varve.benchmarks.child.ChildStarter;
import dev.varve.benchmarks.child.Children;
import dev.varve.benchmarks.measure.Measurement;
import dev.varve.benchmarks.measure.Outcome;
import dev.varve.benchmarks.measure.Work;
import dev.varve.benchmarks.report.Goal;
import dev.varve.benchmarks.report.Metric;
import dev.varve.benchmarks.report.Section;
import dev.varve.benchmarks.report.SectionWatcher;
import dev.varve.benchmarks.store.AccountStoreKind;
import dev.varve.benchmarks.store.ChildHeap;
import dev.varve.benchmarks.store.StoreDurability;
import dev.varve.benchmarks.store.StoreMemory;
import dev.varve.benchmarks.store.StoreSettings;
import dev.varve.common.env.FileSystem;
import dev.varve.common.error.DiskException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Goes through the stores, one at a time, and in each through transactions of 2, 10 and 100
 * records. Confined to the main thread, but for {@link #stop}.
 */
public final class TransferComparison {
  /** Records of a transaction. */
  static final List<Integer> RECORDS = List.of(2, 10, 100);

  private static final double PATIENCE_SECONDS = 600;
  private static final StoreMemory MEMORY = new StoreMemory(512L << 20, 128L << 20);

  private static final List<Metric> COLUMNS =
      List.of(
          Metric.RATE,
          Metric.P50,
          Metric.P99,
          Metric.LONGEST,
          Metric.CPU,
          Metric.WRITTEN,
          Metric.SUMS,
          Metric.TORN,
          Metric.MEMORY);

  private final Plan plan;
  private final FileSystem files;
  private final Children children;
  private final SectionWatcher watcher;

  /**
   * What is compared.
   *
   * @param directory where the stores are, each in a directory of its own
   * @param stores those that take part
   * @param accounts of each
   * @param threads that transfer
   * @param seconds of each store
   */
  public record Plan(
      Path directory, List<AccountStoreKind> stores, long accounts, int threads, double seconds) {
    private StoreSettings settings(AccountStoreKind store) {
      return new StoreSettings(
          directory.resolve(store.label()), StoreDurability.PROCESS_CRASH, MEMORY, Long.BYTES);
    }
  }

  /** A comparison that has not begun. */
  public TransferComparison(
      Plan plan, FileSystem files, ChildStarter starter, SectionWatcher watcher) {
    this.plan = plan;
    this.files = files;
    this.children = new Children(starter);
    this.watcher = watcher;
  }

  private static String id(int records) {
    return "transfer-" + records;
  }

  /** Where the first store must stand. */
  public static List<Goal> goals() {
    List<Goal> goals = new ArrayList<>();
    for (int records : RECORDS) {
      goals.add(
          Goal.goal(
              records + " records",
              id(records),
              Metric.RATE,
              2,
              "rocksdb",
              "rocksdb-optimistic",
              "mvstore"));
      goals.add(Goal.goal(records + " records: torn sums", id(records), Metric.TORN, 0));
    }
    return goals;
  }

  /** Ends it as soon as possible; may be called from any thread. */
  public void stop() {
    children.stop();
  }

  /** How many sums of each store were torn, by label. */
  public static Map<String, Long> torn(List<Section> sections) {
    Map<String, Long> torn = new TreeMap<>();
    for (Section section : sections) {
      for (Outcome outcome : section.outcomes()) {
        Measurement measured = outcome.measurement();
        if (measured != null) {
          torn.merge(outcome.store(), measured.wrongAnswers(), Long::sum);
        }
      }
    }
    return torn;
  }

  /** Runs everything. */
  public List<Section> run() throws BenchmarkException, DiskException {
    Map<Integer, List<Outcome>> outcomes = new TreeMap<>();
    watcher.begins("transfer", plan.seconds * plan.stores.size());
    for (AccountStoreKind store : plan.stores) {
      run(store, outcomes);
    }
    List<Section> sections = new ArrayList<>();
    for (int records : RECORDS) {
      Section section =
          new Section(
              id(records),
              "Transactions of " + records + " records, beside a scan of all accounts",
              COLUMNS,
              Metric.RATE,
              Objects.requireNonNull(outcomes.get(records)));
      watcher.ended(section);
      sections.add(section);
    }
    return sections;
  }

  private void run(AccountStoreKind store, Map<Integer, List<Outcome>> outcomes)
      throws BenchmarkException, DiskException {
    files.createDirectories(plan.settings(store).directory());
    String failure = null;
    try (ChildLink link = children.start(store.label(), ChildHeap.arguments(MEMORY.totalBytes()))) {
      for (int records : RECORDS) {
        Outcome outcome;
        try {
          outcome = failure == null ? ask(link, store, records) : failed(store, failure);
        } catch (BenchmarkException problem) {
          if (children.stopped()) {
            throw problem;
          }
          failure = String.valueOf(problem.getMessage());
          outcome = failed(store, failure);
        }
        outcomes.computeIfAbsent(records, any -> new ArrayList<>()).add(outcome);
      }
      if (failure == null) {
        ask(link, store, 0, null);
      }
    }
  }

  private static Outcome failed(AccountStoreKind store, String failure) {
    return Outcome.failed(store.label(), failure);
  }

  private Outcome ask(ChildLink link, AccountStoreKind store, int records)
      throws BenchmarkException {
    double seconds = plan.seconds / RECORDS.size();
    Work work =
        new Work(
            id(records),
            0,
            new Work.Span(0, plan.accounts),
            Work.Effort.lasting(plan.threads, seconds));
    TransferRequest.Answer answer = ask(link, store, records, work);
    if (answer == null) {
      throw new BenchmarkException("a phase measured nothing");
    }
    return Outcome.of(store.label(), List.of(answer.measurement()))
        .noting(answer.refused() == 0 ? "" : "%,d refused, done again".formatted(answer.refused()));
  }

  private TransferRequest.@Nullable Answer ask(
      ChildLink link, AccountStoreKind store, int records, @Nullable Work work)
      throws BenchmarkException {
    int before = plan.stores.indexOf(store);
    int phase = work == null ? RECORDS.size() : RECORDS.indexOf(records);
    return link.ask(
        new TransferRequest(store, plan.settings(store), records, work),
        TransferRequest.Answer.class,
        PATIENCE_SECONDS + plan.seconds,
        share ->
            watcher.progress(
                (before + (phase + share) / RECORDS.size()) / plan.stores.size(), store.label()));
  }
}
