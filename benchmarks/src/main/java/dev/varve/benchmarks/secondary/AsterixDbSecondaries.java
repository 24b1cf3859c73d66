package dev.varve.benchmarks.secondary;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.index.HyracksIndex;
import dev.varve.benchmarks.index.IndexBench;
import dev.varve.benchmarks.index.IndexContender;
import dev.varve.benchmarks.index.IndexKind;
import dev.varve.benchmarks.index.IndexPhase;
import dev.varve.benchmarks.index.IndexSettings;
import dev.varve.benchmarks.index.IndexStore;
import dev.varve.benchmarks.index.PhaseMeter;
import dev.varve.benchmarks.measure.Measurement;
import dev.varve.benchmarks.measure.Work;
import dev.varve.benchmarks.store.AsterixDbDataset;
import dev.varve.benchmarks.store.AsterixDbNode;
import dev.varve.benchmarks.store.StoreFigures;
import dev.varve.common.bytes.KeyHash;
import dev.varve.common.env.Clock;
import dev.varve.common.env.FileSystem;
import dev.varve.dataset.model.Key;
import java.util.function.DoubleConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The same records in AsterixDB's storage, for the phases that it has something for. Confined to
 * one thread.
 */
final class AsterixDbSecondaries implements IndexBench {
  /** How it takes part. */
  static final IndexKind KIND = new Kind();

  private static final int INDEXES = 4;

  private final IndexSettings settings;
  private final SecondaryRecords records;
  private final FileSystem files;
  private final Clock clock;
  private @Nullable Trees trees;

  AsterixDbSecondaries(IndexSettings settings, FileSystem files, Clock clock) {
    this.settings = settings;
    this.records = new SecondaryRecords(settings.count(), settings.seed());
    this.files = files;
    this.clock = clock;
  }

  private record Kind() implements IndexKind {
    @Override
    public String label() {
      return "asterixdb";
    }

    @Override
    public IndexContender contender(IndexSettings settings) {
      IndexSettings own = settings.in(settings.directory().resolve(label()));
      long cache = own.budget().memory().cacheBytes();
      long writes = own.budget().memory().writeBytes();
      return new IndexContender(
          label(),
          "storage alone, eager, 1 primary and 4 secondary B+-trees; "
              + AsterixDbNode.describe(own.budget().pageBytes(), cache, writes),
          AsterixDbNode.jvmArguments(cache + 2 * writes),
          own,
          SecondaryBench.PHASES.stream()
              .map(IndexPhase::id)
              .filter(id -> !SecondaryBench.ofStorageAlone(id))
              .collect(
                  Collectors.toMap(Function.identity(), id -> "not a phase of the storage alone")));
    }
  }

  /** The storage as phases are measured of it. */
  private record Trees(AsterixDbDataset dataset) implements IndexStore {
    @Override
    public void settle() throws BenchmarkException {
      dataset.settle();
    }

    @Override
    public void compact() throws BenchmarkException {
      dataset.compact();
    }

    @Override
    public StoreFigures figures() {
      return dataset.figures();
    }

    @Override
    public void close() throws BenchmarkException {
      dataset.close();
    }
  }

  @Override
  @SuppressWarnings("MustBeClosedChecker") // closed with the bench
  public Measurement run(Work work, DoubleConsumer progress) throws BenchmarkException {
    String task = work.task();
    if (task.equals(SecondaryBench.INSERTS)) {
      try (Trees scratch = opened(settings.inScratch(files))) {
        new PhaseMeter(scratch, files, clock)
            .warmUp(records.count(), SecondaryRecords.BYTES, number -> upsert(scratch, number, 0));
      }
      trees = opened(settings.inSibling("-main", files));
    }
    Trees open = trees;
    if (open == null) {
      throw new BenchmarkException("nothing was loaded");
    }
    PhaseMeter meter = new PhaseMeter(open, files, clock);
    PhaseMeter.Change change =
        switch (task) {
          case SecondaryBench.INSERTS -> number -> insert(open, number, 0);
          case SecondaryBench.AGAIN -> number -> insert(open, records.again(number), 1);
          case SecondaryBench.UPSERTS -> number -> upsert(open, records.upserted(number), 2);
          default -> number -> open.compact();
        };
    if (task.startsWith(SecondaryBench.SEARCH)) {
      int results = Integer.parseInt(task.substring(SecondaryBench.SEARCH.length()));
      return meter.ask(
          SecondaryBench.queries(results),
          work,
          (number, found) -> {
            long from = records.lowest(number);
            open.dataset.search(
                from, from + results, id -> found.accept(KeyHash.hash(Key.of(id).toSlice())));
          });
    }
    int changes = SecondaryBench.changes(task, records.count());
    return meter.change(changes, SecondaryRecords.BYTES, work, change, progress);
  }

  private void insert(Trees open, int number, int version) throws BenchmarkException {
    open.dataset.insert(
        SecondaryRecords.id(number), values(number, version), records.record(number, version));
  }

  private void upsert(Trees open, int number, int version) throws BenchmarkException {
    open.dataset.upsert(
        SecondaryRecords.id(number), values(number, version), records.record(number, version));
  }

  private long[] values(int number, int version) {
    return IntStream.range(0, INDEXES)
        .mapToLong(field -> records.value(number, version, field))
        .toArray();
  }

  @SuppressWarnings("MustBeClosedChecker") // the bench closes it
  private static Trees opened(IndexSettings given) throws BenchmarkException {
    return new Trees(AsterixDbDataset.open(HyracksIndex.sizes(given), INDEXES));
  }

  @Override
  public void close() throws BenchmarkException {
    if (trees != null) {
      trees.close();
      trees = null;
    }
  }
}
