package dev.varve.benchmarks.kv;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.child.ChildLink;
import dev.varve.benchmarks.child.ChildStarter;
import dev.varve.benchmarks.measure.Measurement;
import dev.varve.benchmarks.measure.Work;
import dev.varve.benchmarks.measure.Work.Effort;
import dev.varve.benchmarks.measure.Work.Span;
import dev.varve.benchmarks.store.ColdFiles;
import dev.varve.benchmarks.store.StoreDurability;
import dev.varve.benchmarks.store.StoreMemory;
import dev.varve.benchmarks.store.StoreSettings;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One store's copy of some data: which records are in it, and the child in which it is open.
 * Confined to the main thread; closed by its user, which ends the child and leaves the files.
 */
final class StoreCopy implements AutoCloseable {
  /** What background work and a start may take on top of the operations before a child is hung. */
  private static final double PATIENCE_SECONDS = 300;

  /**
   * The longest that a store loads before a measured load, for the JVM to compile what it consists
   * of. That takes time and not bytes: a bound in bytes alone gave the fastest store the least.
   */
  static final double WARM_UP_SECONDS = 5;

  /** The disk that a fast store may fill meanwhile. */
  private static final long WARM_UP_BYTES = 1L << 30;

  /** The part of its data's longest load after which a twentieth of a change must be done. */
  private static final double TRIAL_PART = 0.25;

  /**
   * A log of this many bytes for a byte of the user's is not to be flushed when recovery is due.
   */
  private static final double LOG_MEMORY_FACTOR = 2.5;

  private final Contender contender;
  private final Data data;
  private final ComparisonSettings settings;
  private final ChildStarter starter;
  private final Path directory;
  private long first;
  private long end;
  private long openCacheBytes;
  private long rounds;
  private boolean cold;
  private @Nullable ChildLink link;

  StoreCopy(Contender contender, Data data, ComparisonSettings settings, ChildStarter starter) {
    this.contender = contender;
    this.data = data;
    this.settings = settings;
    this.starter = starter;
    this.directory = settings.directory().resolve(contender.label() + "-" + data);
  }

  Path directory() {
    return directory;
  }

  /** How the store is opened. */
  StoreSettings storeSettings(long cacheBytes) {
    long writeBytes = settings.memory().writeBytes();
    if (data == Data.LOG) {
      writeBytes = Math.max(writeBytes, (long) (LOG_MEMORY_FACTOR * settings.userBytes(data)));
    }
    return new StoreSettings(
        directory, durability(), new StoreMemory(cacheBytes, writeBytes), valueBytes());
  }

  private int valueBytes() {
    return data.valueBytes(settings.rows().valueBytes());
  }

  /** How many records there are when all are loaded. */
  private long records() {
    return data.records(settings.rows().count());
  }

  private StoreDurability durability() {
    return contender.refusal(data.durability()).isEmpty()
        ? data.durability()
        : StoreDurability.NONE;
  }

  /** Does a phase, once or one round of it. */
  Measurement measure(Phase phase, int round, DoubleConsumer progress) throws BenchmarkException {
    ensureOpen(cacheBytes(phase), warmUp(phase));
    if (phase.action() == Action.RECOVER) {
      return recover(phase, progress);
    }
    if (!phase.action().startsEmpty() && end == first) {
      fill(progress);
    }
    if (phase.action() == Action.READ_COLD) {
      reopenCold();
    }
    if (round == 0 && phase.action().reads()) {
      // Systems take pages that nobody used for a minute out of their caches, and other stores had
      // their turns since this one's last: each begins with its data where a pass leaves them.
      visitAll(end - first);
    }
    if (round == 0 && phase.action().extent() == Action.Extent.WINDOW) {
      ask(work(phase), share -> {});
    }
    Measurement measured = ask(work(phase), progress);
    switch (phase.action()) {
      case LOAD, LOAD_CHECKED -> end = first + measured.operations();
      case DELETE -> first += measured.operations();
      default -> {}
    }
    return measured;
  }

  private long cacheBytes(Phase phase) {
    return phase.suite() == Suite.BEYOND_CACHE
        ? Math.max(1 << 20, settings.userBytes(data) / 4)
        : settings.memory().cacheBytes();
  }

  /** Opens the store with a cache of some size, unless it is. */
  private void ensureOpen(long cacheBytes, @Nullable Work warmUp) throws BenchmarkException {
    if (link != null && openCacheBytes != cacheBytes) {
      link.ask(Request.close(), Measurement.class, PATIENCE_SECONDS, share -> {});
      close();
    }
    if (link == null) {
      open(cacheBytes, warmUp);
    }
  }

  /** Closes the store, takes its files out of the system's cache, and opens it in a new process. */
  private void reopenCold() throws BenchmarkException {
    Objects.requireNonNull(link)
        .ask(Request.close(), Measurement.class, PATIENCE_SECONDS, share -> {});
    close();
    cold = ColdFiles.drop(directory);
    open(openCacheBytes, null);
  }

  /** What a reader of the phase has to know of its caches; empty when there is nothing. */
  String warmth(Phase phase) {
    return phase.action() == Action.READ_COLD && !cold ? "files may be in the system's cache" : "";
  }

  /** What a child does before a load, or forced commits, that are measured. */
  private @Nullable Work warmUp(Phase phase) {
    long most = WARM_UP_BYTES / (Records.KEY_BYTES + valueBytes());
    Span span = new Span(0, Math.min(settings.rows().count(), most));
    int threads = phase.threads();
    return switch (phase.action()) {
      case LOAD, LOAD_CHECKED ->
          work(phase.action(), span, bounded(threads, span.count(), WARM_UP_SECONDS));
      case COMMIT ->
          work(phase.action(), span, Effort.lasting(threads, settings.measuredSeconds()));
      default -> null;
    };
  }

  private Measurement open(long cacheBytes, @Nullable Work warmUp) throws BenchmarkException {
    StoreSettings opened = storeSettings(cacheBytes);
    ChildLink started =
        starter.start(directory.getFileName().toString(), contender.jvmArguments(opened));
    link = started;
    openCacheBytes = cacheBytes;
    Request.Opening opening =
        new Request.Opening(contender.label(), opened, data.order(), settings.rows().seed());
    return Objects.requireNonNull(
        started.ask(
            Request.open(opening, warmUp), Measurement.class, PATIENCE_SECONDS, share -> {}));
  }

  private Measurement ask(Work work, DoubleConsumer progress) throws BenchmarkException {
    double seconds = Math.min(work.effort().seconds(), 3_600) + PATIENCE_SECONDS;
    return Objects.requireNonNull(
        Objects.requireNonNull(link).ask(Request.run(work), Measurement.class, seconds, progress));
  }

  /** Puts the records that a load left out, as fast as the store can; nobody measures it. */
  void fill(DoubleConsumer progress) throws BenchmarkException {
    if (end < records()) {
      Span missing = new Span(end, records());
      Effort effort = bounded(1, missing.count(), settings.capSeconds(data));
      end += ask(work(Action.FILL, missing, effort), progress).operations();
    }
  }

  private Work work(Phase phase) {
    Action action = phase.action();
    int threads = phase.threads();
    double cap = settings.capSeconds(data);
    double window = settings.pace(action).windowSeconds();
    Span held = new Span(first, end);
    return switch (action.extent()) {
      case RECORDS -> work(action, new Span(0, records()), bounded(threads, records(), cap));
      case TRIPLE -> work(action, held, bounded(threads, 3 * held.count(), cap));
      case FIFTH -> {
        double seconds = settings.pace().capSeconds() / 2;
        yield work(action, held, bounded(threads, Math.max(1, held.count() / 5), seconds));
      }
      case OPENING ->
          work(action, held, Effort.lasting(threads, ComparisonSettings.OPENING_WINDOWS * window));
      case WINDOW -> {
        Span span = new Span(first, action.startsEmpty() ? records() : end);
        yield work(action, span, Effort.lasting(threads, window));
      }
      case PASS -> work(action, held, Effort.lasting(1, window));
    };
  }

  /** So many operations, if there is time for them and their beginning is no trial of patience. */
  private Effort bounded(int threads, long operations, double seconds) {
    return new Effort(threads, operations, seconds, settings.capSeconds(data) * TRIAL_PART);
  }

  private Work work(Action action, Span span, Effort effort) {
    rounds++;
    return new Work(action.name(), rounds, span, effort);
  }

  /** Puts records, kills the store, and measures what opening it again takes. */
  private Measurement recover(Phase phase, DoubleConsumer progress) throws BenchmarkException {
    long acknowledged = ask(work(phase), progress).operations();
    Objects.requireNonNull(link).kill();
    close();
    Measurement opening = open(settings.memory().cacheBytes(), oneRecord());
    end = first + acknowledged;
    Span span = new Span(first, end);
    double window = settings.pace().windowSeconds();
    Measurement found = ask(work(Action.READ, span, Effort.lasting(1, window)), progress);
    Measurement counted = visitAll(acknowledged);
    return opening.recovered(
        acknowledged, counted.userBytes(), found.wrongAnswers() + counted.wrongAnswers());
  }

  /**
   * What a child does before an opening that is measured: loading classes, logging and a native
   * library takes a process its time, and no store.
   */
  private Work oneRecord() {
    return work(Action.LOAD, new Span(0, 1), Effort.complete(1, 1));
  }

  /** One pass over all records. */
  private Measurement visitAll(long records) throws BenchmarkException {
    Span all = new Span(first, end);
    return ask(work(Action.SCAN_ALL, all, Effort.complete(1, records)), share -> {});
  }

  /** How many records are there, if not all: the cap of a slow load. */
  String shortfall() {
    return end == 0 || end == records() ? "" : "%,d of %,d records".formatted(end, records());
  }

  @Override
  public void close() {
    if (link != null) {
      link.close();
      link = null;
    }
  }
}
