package dev.varve.benchmarks.spatial;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.index.IndexBench;
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
import dev.varve.benchmarks.store.ReadDelay;
import dev.varve.common.env.Clock;
import dev.varve.common.env.FileSystem;
import java.util.List;
import java.util.function.DoubleConsumer;

/** A spatial store with the points of section 6.2. Confined to one thread. */
public final class SpatialBench implements IndexBench {
  /** All points go in. */
  public static final String LOAD = "load";

  /** Rectangles with many points. */
  public static final String LARGE = "large";

  /** Rectangles with few points. */
  public static final String SMALL = "small";

  /** The points nearest to a place. */
  public static final String NEAREST = "nearest";

  /** One in a hundred goes. */
  public static final String DELETE = "delete";

  /** Rectangles with many points, of those that are left. */
  public static final String LARGE_AFTER_DELETE = "large-after-delete";

  /** What is done, in order. */
  public static final List<IndexPhase> PHASES =
      List.of(
          new IndexPhase(LOAD, "Load points, flushes and merges included", Kind.LOAD),
          new IndexPhase(LARGE, "Rectangles of about 2,000 points", Kind.RESULTS_QUERY),
          new IndexPhase(SMALL, "Rectangles of about 17 points", Kind.QUERY),
          new IndexPhase(NEAREST, "The 10 points nearest to a place", Kind.QUERY),
          new IndexPhase(DELETE, "Delete 1 % of the points", Kind.CHANGE),
          new IndexPhase(
              LARGE_AFTER_DELETE, "Rectangles of about 2,000, after that", Kind.RESULTS_QUERY));

  private static final String[] LUCENE = {"lucene", "lucene-latlon"};

  /** Where the first store must stand. */
  public static final List<Goal> GOALS =
      List.of(
          Goal.goal("ingest", LOAD, Metric.SETTLED_RATE, 15, "asterixdb"),
          Goal.goal("ingest", LOAD, Metric.SETTLED_RATE, 1, LUCENE),
          Goal.goal("2,000 results", LARGE, Metric.RESULT_RATE, 1.5, LUCENE),
          Goal.goal("17 results, \u00b5s", SMALL, Metric.P50, 50),
          Goal.goal("17 results", SMALL, Metric.P50, 0.5, LUCENE));

  private static final int LARGE_RESULTS = 2_000;
  private static final int SMALL_RESULTS = 17;
  private static final int NEAREST_RESULTS = 10;
  private static final int QUERIES = 1_000;

  /** One in so many points is deleted. */
  private static final int DELETED_EVERY = 100;

  /** Which one of them. */
  private static final int DELETED_AT = 37;

  private final SpatialStoreKind kind;
  private final SpatialStore store;
  private final SpatialData data;
  private final IndexSettings settings;
  private final FileSystem files;
  private final Clock clock;
  private final PhaseMeter meter;
  private final List<Box> large;
  private final List<Box> small;
  private int loaded;

  private SpatialBench(SpatialStoreKind kind, IndexSettings settings, FileSystem files, Clock clock)
      throws BenchmarkException {
    this.kind = kind;
    this.settings = settings;
    this.files = files;
    this.clock = clock;
    this.store = kind.open(settings, ReadDelay.NONE);
    this.data = new SpatialData(settings.count(), settings.seed());
    this.meter = new PhaseMeter(store, files, clock);
    this.large = data.boxes(QUERIES, LARGE_RESULTS, 1);
    this.small = data.boxes(QUERIES, SMALL_RESULTS, 2);
  }

  /** Opens the store that a request names; the caller closes the bench. */
  public static SpatialBench open(IndexRequest request, FileSystem files, Clock clock)
      throws BenchmarkException {
    SpatialStoreKind kind =
        Labelled.find(SpatialStoreKind.values(), request.store())
            .orElseThrow(() -> new BenchmarkException("no store is called " + request.store()));
    return new SpatialBench(kind, request.settings(), files, clock);
  }

  @Override
  public Measurement run(Work work, DoubleConsumer progress) throws BenchmarkException {
    return switch (work.task()) {
      case LOAD -> load(work, progress);
      case DELETE -> delete(work, progress);
      case LARGE, LARGE_AFTER_DELETE ->
          meter.ask(QUERIES, work, (number, found) -> store.query(large.get(number), found));
      case SMALL ->
          meter.ask(QUERIES, work, (number, found) -> store.query(small.get(number), found));
      case NEAREST ->
          meter.ask(
              QUERIES,
              work,
              (number, found) -> {
                Box box = small.get(number);
                store.nearest(box.middleX(), box.middleY(), NEAREST_RESULTS, found);
              });
      default -> throw new BenchmarkException("no phase is called " + work.task());
    };
  }

  private Measurement load(Work work, DoubleConsumer progress) throws BenchmarkException {
    warmUp();
    Measurement measurement =
        meter.change(
            data.points(),
            SpatialData.RECORD_BYTES,
            work,
            point -> store.insert(data.x(point), data.y(point), point),
            progress);
    loaded = (int) measurement.operations();
    return measurement;
  }

  /** A store of its own is loaded first, so that a load is not one of the JVM's compilers. */
  private void warmUp() throws BenchmarkException {
    try (SpatialStore scratch = kind.open(settings.inScratch(files), ReadDelay.NONE)) {
      new PhaseMeter(scratch, files, clock)
          .warmUp(
              data.points(),
              SpatialData.RECORD_BYTES,
              point -> scratch.insert(data.x(point), data.y(point), point));
    }
  }

  private Measurement delete(Work work, DoubleConsumer progress) throws BenchmarkException {
    return meter.change(
        loaded / DELETED_EVERY,
        SpatialData.RECORD_BYTES,
        work,
        number -> {
          int point = number * DELETED_EVERY + DELETED_AT;
          store.delete(data.x(point), data.y(point), point);
        },
        progress);
  }

  @Override
  public void close() throws BenchmarkException {
    store.close();
  }
}
