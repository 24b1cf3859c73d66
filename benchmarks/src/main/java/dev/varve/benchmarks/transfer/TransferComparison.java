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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Goes through the stores, one at a time, and in each, after transactions that are not measured,
 * through transactions of 2, 10 and 100 records, and reads without and beside a transaction that
 * holds locks. Confined to the main thread, but for {@link #stop}.
 */
public final class TransferComparison {
  /**
   * A phase.
   *
   * @param id names it
   * @param title is over its table
   * @param records of a transaction; 0 for reads
   * @param held records that a transaction holds meanwhile
   */
  private record Step(String id, String title, int records, int held) {
    static Step transfer(int records) {
      return new Step(
          "transfer-" + records,
          "Transactions of " + records + " records, beside a scan of all accounts",
          records,
          0);
    }
  }

  /** What is not measured: in it JVMs compile what they run, and caches fill. */
  private static final Step WARM_UP = new Step("warm-up", "", 10, 0);

  private static final Step READS =
      new Step("reads", "Reads of single records, beside a scan of all accounts", 0, 0);

  private static final Step READS_BESIDE_LOCKS =
      new Step(
          "reads-beside-locks",
          "The same beside a transaction that has changed 1,000 records, of half of the reads",
          0,
          TransferServer.HELD);

  private static final List<Step> STEPS =
      List.of(
          WARM_UP,
          Step.transfer(2),
          Step.transfer(10),
          Step.transfer(100),
          READS,
          READS_BESIDE_LOCKS);

  private static final List<Step> MEASURED = STEPS.subList(1, STEPS.size());

  private static final String[] PEERS = {"rocksdb", "rocksdb-optimistic", "mvstore", "xodus"};

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

  /** Where the first store must stand. */
  public static List<Goal> goals() {
    List<Goal> goals = new ArrayList<>();
    for (Step step : MEASURED) {
      goals.add(Goal.goal(step.id, step.id, Metric.RATE, 2, PEERS));
      goals.add(Goal.goal(step.id + ": torn sums", step.id, Metric.TORN, 0));
    }
    String twoWriters = MEASURED.get(0).id;
    goals.add(Goal.goal("scans beside two writers", twoWriters, Metric.SUMS, 2, PEERS));
    String beside = READS_BESIDE_LOCKS.id;
    goals.add(Goal.goal("scans beside locks", beside, Metric.SUMS, 2, PEERS));
    goals.add(
        new Goal(
            "no reader waits for locks", beside, Metric.RATE, 0.8, READS.id, List.of("varve")));
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
    Map<Step, List<Outcome>> outcomes = new HashMap<>();
    watcher.begins("transfer", plan.seconds * plan.stores.size());
    for (AccountStoreKind store : plan.stores) {
      run(store, outcomes);
    }
    List<Section> sections = new ArrayList<>();
    for (Step step : MEASURED) {
      List<Outcome> measured = Objects.requireNonNull(outcomes.get(step));
      Section section = new Section(step.id, step.title, COLUMNS, Metric.RATE, measured);
      watcher.ended(section);
      sections.add(section);
    }
    return sections;
  }

  private void run(AccountStoreKind store, Map<Step, List<Outcome>> outcomes)
      throws BenchmarkException, DiskException {
    files.createDirectories(plan.settings(store).directory());
    String failure = null;
    try (ChildLink link = children.start(store.label(), ChildHeap.arguments(MEMORY.totalBytes()))) {
      for (Step step : STEPS) {
        Outcome outcome;
        try {
          outcome = failure == null ? measure(link, store, step) : failed(store, failure);
        } catch (BenchmarkException problem) {
          if (children.stopped()) {
            throw problem;
          }
          failure = String.valueOf(problem.getMessage());
          outcome = failed(store, failure);
        }
        outcomes.computeIfAbsent(step, any -> new ArrayList<>()).add(outcome);
      }
      if (failure == null) {
        ask(
            link,
            store,
            STEPS.size(),
            new TransferRequest(store, plan.settings(store), 0, 0, null));
      }
    }
  }

  private static Outcome failed(AccountStoreKind store, String failure) {
    return Outcome.failed(store.label(), failure);
  }

  private Outcome measure(ChildLink link, AccountStoreKind store, Step step)
      throws BenchmarkException {
    Work work =
        new Work(
            step.id,
            0,
            new Work.Span(0, plan.accounts),
            Work.Effort.lasting(plan.threads, plan.seconds / STEPS.size()));
    TransferRequest request =
        new TransferRequest(store, plan.settings(store), step.records, step.held, work);
    TransferRequest.Answer answer = ask(link, store, STEPS.indexOf(step), request);
    if (answer == null) {
      throw new BenchmarkException("a phase measured nothing");
    }
    return Outcome.of(store.label(), List.of(answer.measurement()))
        .noting(answer.refused() == 0 ? "" : "%,d refused, done again".formatted(answer.refused()));
  }

  private TransferRequest.@Nullable Answer ask(
      ChildLink link, AccountStoreKind store, int before, TransferRequest request)
      throws BenchmarkException {
    int stores = plan.stores.indexOf(store);
    return link.ask(
        request,
        TransferRequest.Answer.class,
        PATIENCE_SECONDS + plan.seconds,
        share ->
            watcher.progress(
                (stores + (before + share) / STEPS.size()) / plan.stores.size(), store.label()));
  }
}
