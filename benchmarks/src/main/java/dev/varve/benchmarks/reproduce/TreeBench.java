package dev.varve.benchmarks.reproduce;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.index.Digest;
import dev.varve.benchmarks.index.IndexBench;
import dev.varve.benchmarks.index.IndexRequest;
import dev.varve.benchmarks.index.IndexSettings;
import dev.varve.benchmarks.index.PhaseMeter;
import dev.varve.benchmarks.measure.Labelled;
import dev.varve.benchmarks.measure.Measurement;
import dev.varve.benchmarks.measure.Measurement.Found;
import dev.varve.benchmarks.measure.Measurement.Latency;
import dev.varve.benchmarks.measure.Measurement.Sample;
import dev.varve.benchmarks.measure.ProcessCost;
import dev.varve.benchmarks.measure.Timings;
import dev.varve.benchmarks.measure.Work;
import dev.varve.benchmarks.spatial.Box;
import dev.varve.benchmarks.spatial.SpatialData;
import dev.varve.benchmarks.spatial.SpatialStore;
import dev.varve.benchmarks.store.ReadDelay;
import dev.varve.benchmarks.store.StoreFigures;
import dev.varve.common.env.Clock;
import dev.varve.common.env.FileSystem;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleConsumer;

/**
 * A tree of the experiments. In phases that stand for a device, each read costs as much as that
 * would take, since the files of so small a scale are all in the system's page cache. Confined to
 * one thread.
 */
public final class TreeBench implements IndexBench {
  /** All points go in, so that there is something to query. */
  static final String INGEST = "ingest";

  /** All points go in, and reads are a device's. */
  static final String RAW_INSERTS = "raw-inserts";

  /**
   * Points go in, one in a hundred operations deletes one, and queries come in between; pages that
   * the tree has not in its cache come from the system's.
   */
  static final String DELETES_CACHED = "deletes-cached";

  /** The same with a new tree, and while queries run reads are a device's. */
  static final String DELETES_ON_DISK = "deletes-on-disk";

  /** Queries after the ingestion; reads are a device's. */
  static final String QUERIES = "queries";

  /** All components become one. */
  static final String COMPACT = "compact";

  /** The same queries once more. */
  static final String COMPACTED = "queries-after-compaction";

  /** Into how many parts a course over time is divided. */
  static final int PARTS = 50;

  /** What the paper's queries found on average. */
  static final int RESULTS = 2_361;

  /** How many queries there are after ingestion. */
  static final int QUERY_COUNT = 100;

  /** How many queries there are in each part of a course with deletions. */
  static final int QUERIES_OF_A_PART = 20;

  private static final int DELETED_PERCENT = 1;

  private final Tree tree;
  private SpatialStore store;
  private int ingestions;
  private final ReadDelay delay = new ReadDelay(0);
  private final IndexSettings settings;
  private final SpatialData data;
  private final List<Box> boxes;
  private final List<Box> others;
  private final FileSystem files;
  private final Clock clock;

  private TreeBench(Tree tree, IndexSettings settings, FileSystem files, Clock clock)
      throws BenchmarkException {
    this.tree = tree;
    this.store = tree.open(settings, delay);
    this.settings = settings;
    this.data = new SpatialData(settings.count(), settings.seed());
    this.boxes = data.boxes(PARTS * QUERIES_OF_A_PART, RESULTS, 1);
    this.others = data.boxes(QUERY_COUNT, RESULTS, 2);
    this.files = files;
    this.clock = clock;
  }

  /** Opens the tree that a request names; the caller closes the bench. */
  public static TreeBench open(IndexRequest request, FileSystem files, Clock clock)
      throws BenchmarkException {
    Tree tree =
        Labelled.find(Tree.values(), request.store())
            .orElseThrow(() -> new BenchmarkException("no tree is called " + request.store()));
    return new TreeBench(tree, request.settings(), files, clock);
  }

  @Override
  public Measurement run(Work work, DoubleConsumer progress) throws BenchmarkException {
    return switch (work.task()) {
      case INGEST -> ingest(0, progress);
      case RAW_INSERTS -> ingest(settings.readNanos(), progress);
      case DELETES_CACHED -> ingestWithDeletes(0, progress);
      case DELETES_ON_DISK -> ingestWithDeletes(settings.readNanos(), progress);
      case QUERIES, COMPACTED -> queries();
      case COMPACT -> compact();
      default -> throw new BenchmarkException("no phase is called " + work.task());
    };
  }

  /** What a course over time is made of. */
  private final class Course {
    private final Timings timings = new Timings(clock);
    private final List<Sample> samples = new ArrayList<>();
    private final ProcessCost before = ProcessCost.now(files);
    private final long missesBefore = store.cacheMisses();
    private final long start = clock.nanoTime();
    private long operations;
    private long nanos;
    private long rows;
    private long partOperations;
    private long partNanos;

    void timed(long took) {
      timings.record(took);
      operations++;
      nanos += took;
      partOperations++;
      partNanos += took;
    }

    void endPart() throws BenchmarkException {
      StoreFigures figures = store.figures();
      samples.add(
          new Sample(
              (clock.nanoTime() - start) / 1e9,
              partOperations * 1e9 / Math.max(1, partNanos),
              figures.components(),
              figures.diskBytes()));
      partOperations = 0;
      partNanos = 0;
    }

    Measurement end(long digest) throws BenchmarkException {
      return new Measurement(
          operations,
          operations * SpatialData.RECORD_BYTES,
          nanos / 1e9,
          (clock.nanoTime() - start) / 1e9,
          0,
          Latency.of(timings.histogram(), 1),
          ProcessCost.now(files).since(before, 0, store.figures().diskBytes()),
          samples,
          new Found(rows, digest, store.cacheMisses() - missesBefore));
    }
  }

  /**
   * An ingestion begins with an empty tree; before the first one, a tree of its own is loaded, so
   * that no course begins with the JVM's compilers.
   */
  private void begin() throws BenchmarkException {
    if (ingestions++ == 0) {
      warmUp();
    } else {
      SpatialStore old = store;
      store = tree.open(settings.inSibling("-" + ingestions, files), delay);
      old.close();
    }
  }

  private void warmUp() throws BenchmarkException {
    try (SpatialStore scratch = tree.open(settings.inScratch(files), ReadDelay.NONE)) {
      new PhaseMeter(scratch, files, clock)
          .warmUp(
              data.points(),
              SpatialData.RECORD_BYTES,
              point -> scratch.insert(data.x(point), data.y(point), point));
      for (Box box : others) {
        scratch.query(box, new Digest());
      }
    }
  }

  private Measurement ingest(long readNanos, DoubleConsumer progress) throws BenchmarkException {
    begin();
    delay.set(readNanos);
    Course course = new Course();
    long last = clock.nanoTime();
    for (int part = 0; part < PARTS; part++) {
      for (int point = from(part); point < from(part + 1); point++) {
        store.insert(data.x(point), data.y(point), point);
        long now = clock.nanoTime();
        course.timed(now - last);
        last = now;
      }
      course.endPart();
      progress.accept((part + 1) / (double) PARTS);
      last = clock.nanoTime();
    }
    store.settle();
    delay.set(0);
    return course.end(0);
  }

  private int from(int part) {
    assert part >= 0 && part <= PARTS : "part " + part;
    return (int) ((long) data.points() * part / PARTS);
  }

  private Measurement ingestWithDeletes(long readNanos, DoubleConsumer progress)
      throws BenchmarkException {
    begin();
    Course course = new Course();
    Digest digest = new Digest();
    SplittableRandom random = new SplittableRandom(Digest.mix(settings.seed() + 7));
    boolean[] deleted = new boolean[data.points()];
    for (int part = 0; part < PARTS; part++) {
      for (int point = from(part); point < from(part + 1); point++) {
        int victim = point == 0 ? 0 : random.nextInt(point);
        if (random.nextInt(100) < DELETED_PERCENT && !deleted[victim] && victim < point) {
          deleted[victim] = true;
          store.delete(data.x(victim), data.y(victim), victim);
        }
        store.insert(data.x(point), data.y(point), point);
      }
      delay.set(readNanos);
      for (int query = 0; query < QUERIES_OF_A_PART; query++) {
        ask(course, digest, boxes.get(part * QUERIES_OF_A_PART + query));
      }
      delay.set(0);
      course.endPart();
      progress.accept((part + 1) / (double) PARTS);
    }
    store.settle();
    return course.end(digest.value());
  }

  private void ask(Course course, Digest digest, Box box) throws BenchmarkException {
    long begin = clock.nanoTime();
    store.query(
        box,
        id -> {
          course.rows++;
          digest.accept(id);
        });
    course.timed(clock.nanoTime() - begin);
    digest.endSet();
  }

  private Measurement queries() throws BenchmarkException {
    // Code is compiled first, with queries of their own.
    Course unmeasured = new Course();
    for (Box box : others) {
      ask(unmeasured, new Digest(), box);
    }
    Course course = new Course();
    Digest digest = new Digest();
    delay.set(settings.readNanos());
    for (Box box : boxes.subList(0, QUERY_COUNT)) {
      ask(course, digest, box);
    }
    delay.set(0);
    return course.end(digest.value());
  }

  private Measurement compact() throws BenchmarkException {
    Course course = new Course();
    long begin = clock.nanoTime();
    store.compact();
    course.timed(clock.nanoTime() - begin);
    return course.end(0);
  }

  @Override
  public void close() throws BenchmarkException {
    store.close();
  }
}
