package dev.varve.benchmarks.adoc;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.child.Workload;
import dev.varve.benchmarks.measure.Crew;
import dev.varve.benchmarks.measure.Measurement;
import dev.varve.benchmarks.measure.Measurement.Found;
import dev.varve.benchmarks.measure.Measurement.Latency;
import dev.varve.benchmarks.measure.Measurement.Sample;
import dev.varve.benchmarks.measure.ProcessCost;
import dev.varve.benchmarks.measure.ThreadWork;
import dev.varve.benchmarks.measure.Timings;
import dev.varve.benchmarks.store.DiskBytes;
import dev.varve.benchmarks.store.OpenEngine;
import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.env.Clock;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.TaskExecutor;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.EngineStats;
import dev.varve.dataset.KeyValue;
import dev.varve.dataset.KeyValueLoader;
import dev.varve.dataset.KeyValueStore;
import dev.varve.dataset.model.IndexStats;
import dev.varve.dataset.model.RecordLimits;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.dataset.options.MergePolicyOptions;
import dev.varve.scheduler.tuner.StallClass;
import dev.varve.scheduler.tuner.TunerText;
import dev.varve.transaction.log.Durability;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.DoubleConsumer;
import java.util.stream.LongStream;

/** Runs one workload over one engine. Confined to the main thread of a child. */
public final class AdocServer implements Workload<AdocRequest> {
  private static final String STORE = "adoc";
  private static final int PAGE_BYTES = 4096;
  private static final long SEED = 43;
  private static final long CACHE_BYTES = 32L << 20;
  private static final RecordLimits LIMITS = new RecordLimits(16 << 10, 8, 8, 256);

  /** One component is written while the other is flushed. */
  private static final double TWO_COMPONENTS = 0.5;

  /** What an entry takes in memory on top of its bytes. */
  private static final double MEMORY_FACTOR = 1.1;

  private final FileSystem files;
  private final Clock clock;
  private final TaskExecutor executor;

  /** A server over these seams. */
  public AdocServer(FileSystem files, Clock clock, TaskExecutor executor) {
    this.files = files;
    this.clock = clock;
    this.executor = executor;
  }

  @Override
  public Class<AdocRequest> requestType() {
    return AdocRequest.class;
  }

  @Override
  public boolean isLast(AdocRequest request) {
    return true;
  }

  @Override
  public AdocRequest.Answer answer(AdocRequest request, DoubleConsumer progress)
      throws BenchmarkException {
    OpenEngine<KeyValueStore> open =
        OpenEngine.open(
            engineOptions(request),
            engine -> engine.createKeyValueStore(STORE, storeOptions(request)));
    try {
      if (AdocRun.workload(request.work()).startsLoaded()) {
        load(request, open.store());
      }
      return new Measured(request, open).run(progress);
    } catch (StorageException failure) {
      throw new BenchmarkException(String.valueOf(failure.getMessage()), failure);
    } finally {
      open.close();
    }
  }

  private static EngineOptions engineOptions(AdocRequest request) {
    AdocScale scale = request.scale();
    AdocRequest.Node node = request.node();
    return EngineOptions.builder(node.directory())
        .pageBytes(PAGE_BYTES)
        .cacheBytes(CACHE_BYTES)
        .recordLimits(LIMITS)
        .durability(Durability.PROCESS_CRASH)
        .mergeThreads(1)
        .sealAtFraction(TWO_COMPONENTS)
        .ioBytesPerSecond(scale.rate((double) node.deviceBytesPerSecond()))
        .writeGate(scale.gate())
        .tuner(TunerText.parse(node.tuner()))
        .build();
  }

  private static KeyValueOptions storeOptions(AdocRequest request) {
    long component = request.scale().memoryComponentBytes(request.node().tuner());
    return KeyValueOptions.DEFAULTS
        .withMemoryBytes(Math.round(2 * MEMORY_FACTOR * component))
        .withMergePolicy(new MergePolicyOptions(request.scale().policy(component)));
  }

  /** Loads all records in the order of their keys, as merged as they can be. */
  private static void load(AdocRequest request, KeyValueStore store) throws StorageException {
    Slice view = new Slice();
    byte[] key = new byte[Long.BYTES];
    long[] keys =
        LongStream.range(0, request.work().records().end())
            .map(AdocClient::keyNumber)
            .map(number -> number ^ Long.MIN_VALUE)
            .sorted()
            .toArray();
    Slice value = new Slice(new byte[request.scale().recordBytes() - Long.BYTES]);
    try (KeyValueLoader loader = store.bulkLoad()) {
      for (long number : keys) {
        Bytes.putLongBigEndian(key, 0, number ^ Long.MIN_VALUE);
        loader.add(view.set(key, 0, key.length), value);
      }
      loader.finish();
    }
  }

  /** One run, and what is looked at meanwhile. Confined to the main thread. */
  private final class Measured {
    private final AdocRequest request;
    private final OpenEngine<KeyValueStore> open;
    private final List<Sample> samples = new ArrayList<>();
    private final double seconds;
    private double memoryBytes;
    private long lastOperations;
    private long lastNanos;

    Measured(AdocRequest request, OpenEngine<KeyValueStore> open) {
      this.request = request;
      this.open = open;
      this.seconds = request.work().effort().seconds();
    }

    AdocRequest.Answer run(DoubleConsumer progress) throws BenchmarkException, StorageException {
      AdocClient client = new AdocClient(request, open.store(), clock, executor.newSignal());
      List<ThreadWork> works =
          AdocRun.workload(request.work()).hasReader()
              ? List.of(client, new Reader(client))
              : List.of(client);
      ProcessCost before = ProcessCost.now(files);
      long begun = clock.nanoTime();
      lastNanos = begun;
      Crew.Taken taken =
          Crew.run(
              "workload",
              works,
              executor,
              done -> {
                sample(client.timings().done(), begun);
                progress.accept(Math.min(1, (clock.nanoTime() - begun) / 1e9 / seconds));
              });
      long operations = client.timings().done();
      double took = (client.timings().endNanos() - client.timings().startNanos()) / 1e9;
      Measurement measurement =
          new Measurement(
              operations,
              operations * request.scale().recordBytes(),
              took,
              took,
              0,
              Latency.of(client.timings().histogram(), 1),
              ProcessCost.now(files)
                  .since(before, taken.allocatedBytes(), DiskBytes.below(open.directory())),
              samples,
              Found.NOTHING);
      return new AdocRequest.Answer(
          measurement,
          (taken.operations() - operations) / took,
          heldBack(),
          memoryBytes / Math.max(1, samples.size()),
          open.engine().stats().flow().tuner().changes());
    }

    private void sample(long operations, long begun) throws BenchmarkException {
      long now = clock.nanoTime();
      try {
        int components = 0;
        for (IndexStats index : open.store().stats().partitions().get(0).indexes()) {
          memoryBytes += index.memoryBytes();
          components += index.components().size();
        }
        samples.add(
            new Sample(
                (now - begun) / 1e9,
                (operations - lastOperations) * 1e9 / (now - lastNanos),
                components,
                DiskBytes.below(open.directory())));
      } catch (StorageException failure) {
        throw new BenchmarkException("figures", failure);
      }
      lastOperations = operations;
      lastNanos = now;
    }

    private AdocRequest.HeldBack heldBack() throws StorageException {
      Map<String, Double> seconds = new HashMap<>();
      for (EngineStats.StallSummary stall : open.engine().stats().flow().stallClasses()) {
        seconds.put(stall.cause(), stall.totalNanos() / 1e9);
      }
      return new AdocRequest.HeldBack(
          seconds.getOrDefault(StallClass.MEMORY.name(), 0.0),
          seconds.getOrDefault(StallClass.LEVEL_ZERO.name(), 0.0),
          seconds.getOrDefault(StallClass.PENDING_BYTES.name(), 0.0));
    }

    /** Reads keys at random for as long as the client writes, as fast as it can. */
    private final class Reader implements ThreadWork {
      private final AdocClient client;
      private final Timings timings = new Timings(clock);
      private final SplittableRandom random = new SplittableRandom(SEED);

      Reader(AdocClient client) {
        this.client = client;
      }

      @Override
      public void run() throws BenchmarkException {
        long keys = request.work().records().count();
        KeyValue found = new KeyValue();
        Slice view = new Slice();
        byte[] key = new byte[Long.BYTES];
        timings.start();
        try {
          for (long reads = 1; !client.ended(); reads++) {
            open.store().get(AdocClient.keyOf(random.nextLong(keys), view, key), found);
            timings.done(reads);
          }
        } catch (StorageException failure) {
          throw new BenchmarkException("read", failure);
        }
        timings.end();
      }

      @Override
      public Timings timings() {
        return timings;
      }
    }
  }
}
