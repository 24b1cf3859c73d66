package dev.varve.benchmarks.secondary;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.index.DatasetIndex;
import dev.varve.benchmarks.index.IdSink;
import dev.varve.benchmarks.index.IndexBench;
import dev.varve.benchmarks.index.IndexKind;
import dev.varve.benchmarks.index.IndexPhase;
import dev.varve.benchmarks.index.IndexPhase.Kind;
import dev.varve.benchmarks.index.IndexRequest;
import dev.varve.benchmarks.index.IndexSettings;
import dev.varve.benchmarks.index.PhaseMeter;
import dev.varve.benchmarks.measure.Labelled;
import dev.varve.benchmarks.measure.Measurement;
import dev.varve.benchmarks.measure.Work;
import dev.varve.benchmarks.report.Goal;
import dev.varve.benchmarks.report.Metric;
import dev.varve.common.bytes.KeyHash;
import dev.varve.common.env.Clock;
import dev.varve.common.env.FileSystem;
import dev.varve.dataset.model.FieldPath;
import dev.varve.dataset.model.FilterRange;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.KeySearch;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.MergePolicyOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.DoubleConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A dataset with four secondary B+-trees under one strategy, and beside it one in the order of a
 * time that its components are filtered by, and some with more indexes. Confined to one thread.
 */
public final class SecondaryBench implements IndexBench {

  static final String INSERTS = "inserts";
  static final String AGAIN = "inserts-again";
  static final String UPSERTS = "upserts";
  static final String SEARCH = "search-";
  private static final String REPAIR = "repair";
  private static final String MANY = "get-many";
  private static final String EACH = "get-each";
  private static final String RECENT = "recent";
  private static final String RECENT_OF_ALL = "recent-of-all";
  private static final String INDEXES = "indexes-";

  /** The strategies that are compared, and AsterixDB. */
  public static final List<IndexKind> STRATEGIES =
      Stream.concat(Stream.<IndexKind>of(Strategy.values()), Stream.of(AsterixDbSecondaries.KIND))
          .toList();

  /** What is done, in order. */
  public static final List<IndexPhase> PHASES =
      Stream.of(
              new IndexPhase(INSERTS, "Insert new records, 4 indexes", Kind.LOAD),
              new IndexPhase(AGAIN, "Insert records, half of them there already", Kind.CHANGE),
              new IndexPhase(UPSERTS, "Upsert records, half of old keys", Kind.CHANGE),
              new IndexPhase(REPAIR, "Merge everything", Kind.CHANGE),
              new IndexPhase(SEARCH + 10, "Search by value, about 10 records", Kind.QUERY),
              new IndexPhase(SEARCH + 1_000, "About 1,000 records", Kind.QUERY),
              new IndexPhase(SEARCH + 10_000, "About 10,000 records", Kind.QUERY),
              new IndexPhase("keys-1000", "Search by value for about 1,000 keys", Kind.QUERY),
              new IndexPhase(MANY, "Look 1,000 keys up together", Kind.QUERY),
              new IndexPhase(EACH, "The same, one after the other", Kind.QUERY),
              new IndexPhase(
                  "timed-inserts", "Insert records by time, filtered by it", Kind.CHANGE),
              new IndexPhase(RECENT, "Scan the last hundredth by the filter", Kind.QUERY),
              new IndexPhase(RECENT_OF_ALL, "The same without it", Kind.QUERY),
              new IndexPhase(INDEXES + 0, "Upsert new records, no index", Kind.CHANGE),
              new IndexPhase(INDEXES + 2, "The same with 2 indexes", Kind.CHANGE),
              new IndexPhase(INDEXES + 4, "The same with 4 indexes", Kind.CHANGE),
              new IndexPhase(INDEXES + 8, "The same with 8 indexes", Kind.CHANGE))
          .toList();

  private static final String EAGER = Strategy.EAGER.label();
  private static final String VALIDATION = Strategy.VALIDATION.label();

  /** Where strategies must stand. */
  public static final List<Goal> GOALS =
      Stream.concat(
              Stream.of(
                  Goal.goal("upserts", UPSERTS, Metric.SETTLED_RATE, 3, EAGER).of(VALIDATION),
                  Goal.goal("uniqueness", AGAIN, Metric.RATE, 2, EAGER)
                      .of(Strategy.EAGER_KEYS.label()),
                  Goal.goal("10 records", SEARCH + 10, Metric.RATE, 0.85, EAGER).of(VALIDATION),
                  Goal.goal("1,000 records", SEARCH + 1_000, Metric.RATE, 0.85, EAGER)
                      .of(VALIDATION),
                  Goal.goal("10,000 records", SEARCH + 10_000, Metric.RATE, 0.85, EAGER)
                      .of(VALIDATION),
                  new Goal("batched lookups", MANY, Metric.RATE, 3, EACH, List.of(EAGER)).of(EAGER),
                  new Goal("last hundredth", RECENT, Metric.RATE, 20, RECENT_OF_ALL, List.of(EAGER))
                      .of(EAGER)),
              Stream.of(Strategy.values())
                  .map(
                      each ->
                          Goal.goal(
                                  "upserts, " + each.label(),
                                  UPSERTS,
                                  Metric.SETTLED_RATE,
                                  5,
                                  AsterixDbSecondaries.KIND.label())
                              .of(each.label())))
          .toList();

  private static final int QUERIES = 1_000;

  /** Records of all queries that differ; each of them is asked once before it is measured. */
  private static final int RESULTS = 20_000;

  private static final int KEYS_AT_ONCE = 1_000;

  private final Strategy strategy;
  private final IndexSettings settings;
  private final FileSystem files;
  private final Clock clock;
  private final int count;
  private final SecondaryRecords records;
  private @Nullable DatasetIndex store;

  private SecondaryBench(Strategy strategy, IndexSettings settings, FileSystem files, Clock clock) {
    this.strategy = strategy;
    this.settings = settings;
    this.files = files;
    this.clock = clock;
    this.count = settings.count();
    this.records = new SecondaryRecords(count, settings.seed());
  }

  /** A bench of what a request names; the caller closes it. */
  public static IndexBench open(IndexRequest request, FileSystem files, Clock clock)
      throws BenchmarkException {
    if (request.store().equals(AsterixDbSecondaries.KIND.label())) {
      return new AsterixDbSecondaries(request.settings(), files, clock);
    }
    Strategy strategy =
        Labelled.find(Strategy.values(), request.store())
            .orElseThrow(() -> new BenchmarkException("no strategy is " + request.store()));
    return new SecondaryBench(strategy, request.settings(), files, clock);
  }

  /** Whether a phase is one of the indexes alone, and asks nothing of a dataset besides. */
  static boolean ofStorageAlone(String phase) {
    return List.of(INSERTS, AGAIN, UPSERTS, REPAIR).contains(phase) || phase.startsWith(SEARCH);
  }

  /** How many changes a phase makes after so many records. */
  static int changes(String phase, int count) {
    return switch (phase) {
      case INSERTS -> count;
      case AGAIN -> count / 4;
      case UPSERTS -> count / 2;
      default -> 1;
    };
  }

  /** How many searches differ that find so many records. */
  static int queries(int results) {
    return Math.min(QUERIES, RESULTS / results);
  }

  @Override
  @SuppressWarnings("MustBeClosedChecker") // the store closes what it has opened
  public Measurement run(Work work, DoubleConsumer progress) throws BenchmarkException {
    return switch (work.task()) {
      case INSERTS -> {
        try (DatasetIndex scratch = opened(settings.inScratch(files), dataset(4))) {
          meter(scratch)
              .warmUp(
                  count,
                  SecondaryRecords.BYTES,
                  number -> scratch.upsert(records.record(number, 0)));
        }
        DatasetIndex made = replace("-main", dataset(4));
        yield change(
            work,
            changes(INSERTS, count),
            number -> made.insert(records.record(number, 0)),
            progress);
      }
      case AGAIN ->
          change(
              work,
              changes(AGAIN, count),
              number -> store().insert(records.record(records.again(number), 1)),
              progress);
      case UPSERTS ->
          change(
              work,
              changes(UPSERTS, count),
              number -> store().upsert(records.record(records.upserted(number), 2)),
              progress);
      case REPAIR -> change(work, changes(REPAIR, count), number -> store().compact(), progress);
      case "keys-1000" ->
          ask(
              work,
              (number, found) ->
                  store().all(open -> open.searchKeys("a0", values(number, 1_000)), found));
      case MANY -> ask(work, this::getTogether);
      case EACH -> ask(work, this::getOneByOne);
      case "timed-inserts" -> {
        DatasetIndex made = replace("-timed", timed());
        yield change(work, count / 2, number -> made.insert(records.record(number, 0)), progress);
      }
      case RECENT -> {
        FilterRange recent = FilterRange.of(ValueRange.atLeast(Key.of(recent())));
        yield ask(
            work,
            (number, found) -> store().all(open -> open.scan(ValueRange.all(), recent), found));
      }
      case RECENT_OF_ALL -> {
        Set<Long> recent = recentKeys();
        yield ask(
            work,
            /* queries= */ 1,
            (number, found) ->
                store()
                    .all(
                        open -> open.scan(ValueRange.all()),
                        key -> {
                          if (recent.contains(key)) {
                            found.accept(key);
                          }
                        }));
      }
      default -> work.task().startsWith(SEARCH) ? search(work) : load(work, progress);
    };
  }

  @SuppressWarnings("MustBeClosedChecker") // as above
  private Measurement search(Work work) throws BenchmarkException {
    int results = Integer.parseInt(work.task().substring(SEARCH.length()));
    return ask(
        work,
        queries(results),
        (number, found) -> store().all(open -> open.search("a0", values(number, results)), found));
  }

  private Measurement load(Work work, DoubleConsumer progress) throws BenchmarkException {
    int indexes = Integer.parseInt(work.task().substring(INDEXES.length()));
    DatasetIndex made = replace("-" + work.task(), dataset(indexes));
    return change(work, count / 4, number -> made.upsert(records.record(number, 0)), progress);
  }

  private Measurement change(
      Work work, int changes, PhaseMeter.Change change, DoubleConsumer progress)
      throws BenchmarkException {
    return meter(store()).change(changes, SecondaryRecords.BYTES, work, change, progress);
  }

  private Measurement ask(Work work, PhaseMeter.Query query) throws BenchmarkException {
    return ask(work, RESULTS / KEYS_AT_ONCE, query);
  }

  private Measurement ask(Work work, int queries, PhaseMeter.Query query)
      throws BenchmarkException {
    return meter(store()).ask(queries, work, query);
  }

  private PhaseMeter meter(DatasetIndex measured) {
    return new PhaseMeter(measured, files, clock);
  }

  private DatasetIndex store() throws BenchmarkException {
    DatasetIndex open = store;
    if (open == null) {
      throw new BenchmarkException("nothing was loaded");
    }
    return open;
  }

  /** The memory of one dataset is enough at a time. */
  private DatasetIndex replace(String suffix, DatasetOptions options) throws BenchmarkException {
    close();
    DatasetIndex made = opened(settings.inSibling(suffix, files), options);
    store = made;
    return made;
  }

  private DatasetIndex opened(IndexSettings given, DatasetOptions options)
      throws BenchmarkException {
    return new DatasetIndex(given, strategy.of(options));
  }

  // ---- Data

  private DatasetOptions dataset(int indexes) {
    return DatasetOptions.of("bench", "id")
        .withIndexes(
            IntStream.range(0, indexes).mapToObj(field -> IndexDefinition.on("a" + field)).toList())
        .withMemoryBytes(settings.budget().memory().writeBytes())
        .withMergePolicy(new MergePolicyOptions(settings.budget().mergePolicy()));
  }

  /** Components stay small enough for a hundredth of the records to be a few of them. */
  private DatasetOptions timed() {
    return dataset(0)
        .withFilterField(Optional.of(FieldPath.parse("time")))
        .withMemoryBytes(settings.budget().memory().writeBytes() / 8)
        .withMergePolicy(new MergePolicyOptions("prefix(2m, 5)"));
  }

  private long recent() {
    return count / 2 - count / 200L;
  }

  private Set<Long> recentKeys() {
    return IntStream.range((int) recent(), count / 2)
        .mapToObj(number -> KeyHash.hash(Key.of(SecondaryRecords.id(number)).toSlice()))
        .collect(Collectors.toSet());
  }

  private KeySearch values(int query, int results) {
    long low = records.lowest(query);
    return new KeySearch(ValueRange.closedOpen(Key.of(low), Key.of(low + results)));
  }

  private List<Key> keys(int query) {
    List<Key> keys = new ArrayList<>();
    for (int i = 0; i < KEYS_AT_ONCE; i++) {
      keys.add(Key.of(SecondaryRecords.id(records.old(query * KEYS_AT_ONCE + i))));
    }
    return keys;
  }

  private void getTogether(int query, IdSink found) throws BenchmarkException {
    for (Optional<byte[]> record : store().ask(open -> open.getAll(keys(query)))) {
      found.accept(record.map(bytes -> bytes.length).orElse(0));
    }
  }

  private void getOneByOne(int query, IdSink found) throws BenchmarkException {
    for (Key key : keys(query)) {
      Optional<byte[]> record = store().ask(open -> open.get(key));
      found.accept(record.map(bytes -> bytes.length).orElse(0));
    }
  }

  @Override
  public void close() throws BenchmarkException {
    if (store != null) {
      store.close();
      store = null;
    }
  }
}
