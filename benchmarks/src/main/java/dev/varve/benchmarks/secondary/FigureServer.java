package dev.varve.benchmarks.secondary;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.child.Workload;
import dev.varve.benchmarks.measure.Crew;
import dev.varve.benchmarks.measure.ProcessCost;
import dev.varve.benchmarks.measure.ThreadWork;
import dev.varve.benchmarks.secondary.SecondaryFigure.Row;
import dev.varve.benchmarks.store.DelayedFiles;
import dev.varve.benchmarks.store.ReadDelay;
import dev.varve.common.env.Clock;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.TaskExecutor;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.Dataset;
import dev.varve.dataset.EngineSeams;
import dev.varve.dataset.EngineStats;
import dev.varve.dataset.RecordSession;
import dev.varve.dataset.StorageEngine;
import dev.varve.dataset.model.IndexStats;
import dev.varve.dataset.model.RecordLimits;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.IndexMaintenance;
import dev.varve.dataset.options.MergePolicyOptions;
import dev.varve.scheduler.scheduling.SchedulerText;
import dev.varve.transaction.log.Durability;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.DoubleConsumer;

/** Runs one phase of {@link SecondaryFigure}. Confined to the main thread of a child. */
public final class FigureServer implements Workload<FigureJob> {
  private static final String NAME = "records";
  private static final int PAGE_BYTES = 4096;
  private static final int LOG_SEGMENT_BYTES = 4 << 20;
  private static final RecordLimits LIMITS = new RecordLimits(16 << 10, 8, 32, 256);
  private static final long QUIET_MILLIS = 600_000;
  private static final long SEED = 42;

  /** The paper's primary index and its secondaries. */
  private static final String POLICY = "tiering(3)";

  private static final int QUERY_THREADS = 8;

  /** What memory takes for a record with its two secondary entries on top of its bytes. */
  private static final int MEMORY_OVERHEAD_BYTES = 180;

  /**
   * How many memory components all records would fill. The paper's are 800; here each of the three
   * indexes would get so little of one that what its tree takes by the block decided when it is
   * full.
   */
  private static final int FLUSHES = 400;

  /**
   * The part of the records, as a divisor, that the buffer cache holds: the paper has 2 of 100 GB.
   */
  private static final int CACHE_SHARE = 50;

  private final FileSystem files;
  private final Clock clock;
  private final TaskExecutor executor;

  /** A server over these seams. */
  public FigureServer(FileSystem files, Clock clock, TaskExecutor executor) {
    this.files = files;
    this.clock = clock;
    this.executor = executor;
  }

  @Override
  public Class<FigureJob> requestType() {
    return FigureJob.class;
  }

  @Override
  public boolean isLast(FigureJob job) {
    return true;
  }

  @Override
  public Row answer(FigureJob job, DoubleConsumer progress) throws BenchmarkException {
    ReadDelay delay = ReadDelay.ofThreadsThatJoin(job.scale().readNanos());
    EngineSeams seams =
        new EngineSeams(
            new DelayedFiles(files, delay), clock, executor, new SplittableRandom(SEED));
    try {
      load(job, seams);
      try (StorageEngine engine =
          StorageEngine.open(
              options(job)
                  .ioBytesPerSecond(job.scale().budgetBytesPerSecond())
                  .mergeScheduler(SchedulerText.parse(job.cell().scheduler()))
                  .build(),
              seams)) {
        return new Phase(job, engine, delay).run(progress);
      }
    } catch (StorageException failure) {
      throw new BenchmarkException(String.valueOf(failure.getMessage()), failure);
    }
  }

  private static EngineOptions.Builder options(FigureJob job) {
    long dataBytes = (long) job.scale().records() * job.scale().recordBytes();
    return EngineOptions.builder(job.directory())
        .pageBytes(PAGE_BYTES)
        .cacheBytes(Math.max(64 * PAGE_BYTES, dataBytes / CACHE_SHARE))
        .durability(Durability.PROCESS_CRASH)
        .logSegmentBytes(LOG_SEGMENT_BYTES)
        .logRetentionBytes(16L * LOG_SEGMENT_BYTES)
        .recordLimits(LIMITS)
        .sealAtFraction(0.5);
  }

  /** Every record once, in random order, without a budget; all merges end. */
  private static void load(FigureJob job, EngineSeams seams) throws StorageException {
    FigureJob.Scale scale = job.scale();
    int flushRecords = scale.records() / FLUSHES;
    DatasetOptions dataset =
        DatasetOptions.of(NAME, "id")
            .withIndexes(List.of(IndexDefinition.on("a"), IndexDefinition.on("b")))
            .withMaintenance(
                IndexMaintenance.valueOf(job.cell().maintenance().toUpperCase(Locale.ROOT)))
            .withMemoryBytes(
                Math.max(
                    1 << 18, 2L * flushRecords * (scale.recordBytes() + MEMORY_OVERHEAD_BYTES)))
            .withMergePolicy(new MergePolicyOptions(POLICY));
    try (StorageEngine engine = StorageEngine.open(options(job).build(), seams)) {
      Dataset created = engine.createDataset(dataset);
      FigureRecords records = new FigureRecords(scale, new SplittableRandom(SEED));
      try (RecordSession session = created.openSession()) {
        for (int i = 0; i < scale.records(); i++) {
          session.upsert(records.loaded(i));
        }
      }
      created.flush();
      if (!engine.awaitQuiet(QUIET_MILLIS)) {
        throw new IllegalStateException("merges of the load do not come to an end");
      }
    }
  }

  /** A phase on a loaded node. Confined to the main thread. */
  private final class Phase {
    private final FigureJob job;
    private final StorageEngine engine;
    private final ReadDelay delay;
    private final Dataset dataset;
    private long componentsSeen;
    private int samples;

    Phase(FigureJob job, StorageEngine engine, ReadDelay delay) throws StorageException {
      this.job = job;
      this.engine = engine;
      this.delay = delay;
      this.dataset = engine.dataset(NAME);
    }

    Row run(DoubleConsumer progress) throws BenchmarkException, StorageException {
      FigureCourse course =
          new FigureCourse(clock.nanoTime(), job.scale().seconds(), job.arrivalsPerSecond(), delay);
      List<FigureThread> writers = new ArrayList<>();
      for (int i = 0; i < job.cell().writers(); i++) {
        writers.add(FigureThread.writing(course, dataset, clock, records(1 + i)));
      }
      List<ThreadWork> works = new ArrayList<>(writers);
      if (job.cell().queries()) {
        for (int i = 0; i < QUERY_THREADS; i++) {
          works.add(FigureThread.asking(course, dataset, clock, records(100 + i)));
        }
      }
      ProcessCost before = ProcessCost.now(files);
      Crew.run(
          "phase",
          works,
          executor,
          done -> {
            sample(course);
            progress.accept(course.part(clock.nanoTime()));
          });
      double cpuSeconds = ProcessCost.now(files).since(before, 0, 0).cpuSeconds();
      Map<String, Double> stalled = new TreeMap<>();
      for (EngineStats.StallSummary stall : engine.stats().stalls()) {
        stalled.merge(
            stall.cause().toLowerCase(Locale.ROOT).replace('_', ' '),
            stall.totalNanos() / 1e9 / job.scale().seconds() / job.cell().writers(),
            Double::sum);
      }
      return new Row(
          job.cell(),
          course.recordsPerSecond(),
          course.variation(),
          FigureThread.p99Millis(writers),
          stalled,
          componentsSeen / (double) Math.max(1, samples),
          cpuSeconds / job.scale().seconds() / Runtime.getRuntime().availableProcessors(),
          job.cell().queries() ? course.queriesPerSecond(QUERY_THREADS) : List.of(),
          course.windows());
    }

    private FigureRecords records(int thread) {
      return new FigureRecords(job.scale(), new SplittableRandom(SEED + thread));
    }

    private void sample(FigureCourse course) throws BenchmarkException {
      if (course.isWarmUp(clock.nanoTime())) {
        return;
      }
      try {
        for (IndexStats index : dataset.stats().partitions().get(0).indexes()) {
          componentsSeen += index.components().size();
        }
        samples++;
      } catch (StorageException failure) {
        throw new BenchmarkException("statistics", failure);
      }
    }
  }
}
