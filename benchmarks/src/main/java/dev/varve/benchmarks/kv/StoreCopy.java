package dev.varve.benchmarks.kv;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.child.ChildLink;
import dev.varve.benchmarks.child.ChildStarter;
import dev.varve.benchmarks.measure.Measurement;
import dev.varve.benchmarks.store.StoreDurability;
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

  private static final double UNBOUNDED_SECONDS = 1e6;

  /** The part of its data's longest load after which a twentieth of a change must be done. */
  private static final double TRIAL_PART = 0.25;

  private static final long ENDLESS = Long.MAX_VALUE / 2;

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
  private long choices;
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
    long memory = settings.memoryBytes();
    if (data == Data.LOG) {
      memory = Math.max(memory, (long) (LOG_MEMORY_FACTOR * settings.userBytes(data)));
    }
    return new StoreSettings(
        directory, durability(), cacheBytes, memory, data.valueBytes(settings.valueBytes()));
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
    Measurement measured = ask(work(phase, round), progress);
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
        : settings.cacheBytes();
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

  /** What a child does before a load that is measured. */
  private @Nullable Work warmUp(Phase phase) {
    if (phase.action() != Action.LOAD && phase.action() != Action.LOAD_CHECKED) {
      return null;
    }
    int valueBytes = data.valueBytes(settings.valueBytes());
    long records = Math.min(settings.records(), WARM_UP_BYTES / (Records.KEY_BYTES + valueBytes));
    Span span = new Span(0, records);
    return work(phase.action(), phase.threads(), span, records, WARM_UP_SECONDS, 0);
  }

  private Measurement open(long cacheBytes, @Nullable Work warmUp) throws BenchmarkException {
    StoreSettings opened = storeSettings(cacheBytes);
    ChildLink started =
        starter.start(directory.getFileName().toString(), contender.jvmArguments(opened));
    link = started;
    openCacheBytes = cacheBytes;
    Request request = Request.open(contender.label(), opened, warmUp);
    return Objects.requireNonNull(
        started.ask(request, Measurement.class, PATIENCE_SECONDS, share -> {}));
  }

  private Measurement ask(Work work, DoubleConsumer progress) throws BenchmarkException {
    double seconds = Math.min(work.seconds(), 3_600) + work.warmUpSeconds() + PATIENCE_SECONDS;
    return Objects.requireNonNull(
        Objects.requireNonNull(link).ask(Request.run(work), Measurement.class, seconds, progress));
  }

  /** Puts the records that a load left out, as fast as the store can; nobody measures it. */
  void fill(DoubleConsumer progress) throws BenchmarkException {
    long records = data.records(settings.records());
    if (end < records) {
      double cap = settings.capSeconds(data);
      Work work = work(Action.FILL, 1, new Span(end, records), records - end, cap, 0);
      end += ask(work, progress).operations();
    }
  }

  private Work work(Phase phase, int round) {
    long records = data.records(settings.records());
    Action action = phase.action();
    int threads = phase.threads();
    double cap = settings.capSeconds(data);
    double warmUp = round == 0 ? settings.pace().windowSeconds() : 0;
    double window = settings.pace().of(action).windowSeconds();
    Span held = new Span(first, end);
    long count = end - first;
    return switch (action.extent()) {
      case RECORDS -> work(action, threads, new Span(0, records), records, cap, 0);
      case TRIPLE -> work(action, threads, held, 3 * count, cap, 0);
      case FIFTH ->
          work(action, threads, held, Math.max(1, count / 5), settings.pace().capSeconds() / 2, 0);
      case OPENING ->
          work(action, threads, held, ENDLESS, ComparisonSettings.OPENING_WINDOWS * window, 0);
      case WINDOW -> {
        Span span = new Span(first, action.startsEmpty() ? records : end);
        yield work(action, threads, span, ENDLESS, window, warmUp);
      }
      case PASS -> work(action, 1, held, ENDLESS, window, 0);
    };
  }

  /**
   * Records in a row.
   *
   * @param first number of the first
   * @param end number after the last
   */
  private record Span(long first, long end) {}

  private Work work(
      Action action,
      int threads,
      Span span,
      long operations,
      double seconds,
      double warmUpSeconds) {
    choices++;
    return new Work(
        action,
        new Work.Keys(data.order(), settings.seed(), data.valueBytes(settings.valueBytes())),
        span.first,
        span.end,
        threads,
        operations,
        seconds,
        operations == ENDLESS ? seconds : settings.capSeconds(data) * TRIAL_PART,
        warmUpSeconds,
        settings.seed() + choices);
  }

  /** Puts records, kills the store, and measures what opening it again takes. */
  private Measurement recover(Phase phase, DoubleConsumer progress) throws BenchmarkException {
    long acknowledged = ask(work(phase, 0), progress).operations();
    Objects.requireNonNull(link).kill();
    close();
    Measurement opening = open(settings.cacheBytes(), null);
    end = first + acknowledged;
    Span span = new Span(first, end);
    double window = settings.pace().windowSeconds();
    Measurement found = ask(work(Action.READ, 1, span, ENDLESS, window, 0), progress);
    Measurement counted = visitAll(acknowledged);
    return opening.recovered(
        acknowledged, counted.userBytes(), found.wrongAnswers() + counted.wrongAnswers());
  }

  /** One pass over all records. */
  private Measurement visitAll(long records) throws BenchmarkException {
    Span all = new Span(first, end);
    return ask(work(Action.SCAN_ALL, 1, all, records, UNBOUNDED_SECONDS, 0), share -> {});
  }

  /** How many records are there, if not all: the cap of a slow load. */
  String shortfall() {
    long records = data.records(settings.records());
    return end == 0 || end == records ? "" : "%,d of %,d records".formatted(end, records);
  }

  @Override
  public void close() {
    if (link != null) {
      link.close();
      link = null;
    }
  }
}
