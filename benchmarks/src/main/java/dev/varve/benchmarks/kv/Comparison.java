package dev.varve.benchmarks.kv;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.child.ChildStarter;
import dev.varve.benchmarks.child.Children;
import dev.varve.benchmarks.kv.Action.Extent;
import dev.varve.benchmarks.measure.Machine;
import dev.varve.benchmarks.measure.Measurement;
import dev.varve.benchmarks.measure.Outcome;
import dev.varve.benchmarks.report.SectionWatcher;
import dev.varve.common.env.Clock;
import dev.varve.common.env.FileSystem;
import dev.varve.common.error.DiskException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Goes through phases, and in each phase through the stores, one at a time: short phases in rounds,
 * so that all stores meet the same state of the machine. A store that fails is left out of what
 * follows on the same data, and the run goes on. Confined to the main thread, but for {@link
 * #stop}.
 */
public final class Comparison {
  /**
   * Which data of which store.
   *
   * @param contender the store
   * @param data the data
   */
  private record CopyName(Contender contender, Data data) {}

  private final ComparisonSettings settings;
  private final FileSystem files;
  private final Children children;
  private final SectionWatcher watcher;
  private final Map<CopyName, StoreCopy> copies = new HashMap<>();
  private final Map<CopyName, String> failures = new HashMap<>();

  /** A comparison in which every store has a child of its own. */
  public Comparison(
      ComparisonSettings settings, FileSystem files, ChildStarter starter, SectionWatcher watcher) {
    this.settings = settings;
    this.files = files;
    this.watcher = watcher;
    this.children = new Children(starter);
  }

  /** Ends it as soon as possible; may be called from any thread. */
  public void stop() {
    children.stop();
  }

  /**
   * Runs all phases. The stores' files are deleted as soon as no later phase needs them; logs of
   * children stay.
   *
   * @throws BenchmarkException when it was stopped
   */
  public Results run(Clock clock, String time) throws BenchmarkException, DiskException {
    long start = clock.nanoTime();
    List<PhaseOutcome> outcomes = new ArrayList<>();
    try {
      for (int at = 0; at < settings.phases().size(); at++) {
        Phase phase = settings.phases().get(at);
        watcher.begins(phase.id(), settings.estimatedSeconds(phase));
        PhaseOutcome outcome =
            run(phase, settings.phases().subList(at + 1, settings.phases().size()));
        outcomes.add(outcome);
        watcher.ended(outcome.section());
      }
    } finally {
      copies.values().forEach(StoreCopy::close);
    }
    return new Results(
        "bench kv",
        Machine.here(time),
        settings,
        options(),
        outcomes,
        (clock.nanoTime() - start) / 1e9);
  }

  private Map<String, String> options() {
    Map<String, String> options = new LinkedHashMap<>();
    for (Contender contender : settings.contenders()) {
      StoreCopy copy = new StoreCopy(contender, Data.MAIN, settings, children);
      options.put(
          contender.label(), contender.options(copy.storeSettings(settings.memory().cacheBytes())));
    }
    return options;
  }

  private PhaseOutcome run(Phase phase, List<Phase> later)
      throws BenchmarkException, DiskException {
    List<Contender> contenders = settings.contenders(phase);
    int rounds = phase.action().inRounds() ? settings.pace(phase.action()).rounds() : 1;
    Map<Contender, List<Measurement>> measured = new HashMap<>();
    Map<Contender, String> shortfalls = new HashMap<>();
    Map<Contender, String> warmths = new HashMap<>();
    Map<Contender, Outcome> without = new HashMap<>();
    for (int turn = 0; turn < rounds * contenders.size(); turn++) {
      Contender contender = contenders.get(turn % contenders.size());
      double begun = turn / (double) (rounds * contenders.size());
      double step = 1.0 / (rounds * contenders.size());
      DoubleConsumer progress = share -> watcher.progress(begun + step * share, contender.label());
      progress.accept(0);
      int round = turn / contenders.size();
      if (round == 0) {
        hindrance(phase, contender).ifPresent(reason -> without.put(contender, reason));
      }
      if (!without.containsKey(contender)) {
        try {
          Measurement one = copy(contender, phase).measure(phase, round, progress);
          measured.computeIfAbsent(contender, absent -> new ArrayList<>()).add(one);
          if (round == rounds - 1) {
            shortfalls.put(contender, copy(contender, phase).shortfall());
            warmths.put(contender, copy(contender, phase).warmth(phase));
            tidy(phase, contender, later, progress);
          }
        } catch (BenchmarkException failure) {
          if (children.stopped()) {
            throw failure;
          }
          without.put(contender, failed(phase, contender, failure));
        }
      }
    }
    List<Outcome> outcomes = new ArrayList<>();
    for (Contender contender : contenders) {
      Outcome reason = without.get(contender);
      outcomes.add(
          reason == null
              ? outcome(
                  phase,
                  contender,
                  measured.getOrDefault(contender, List.of()),
                  shortfalls.getOrDefault(contender, ""),
                  warmths.getOrDefault(contender, ""))
              : reason);
    }
    return new PhaseOutcome(phase.id(), phase, outcomes);
  }

  /** Why a store is not asked to do a phase. */
  private Optional<Outcome> hindrance(Phase phase, Contender contender) {
    String failure = failures.get(name(contender, phase));
    if (failure != null) {
      return Optional.of(Outcome.failed(contender.label(), "failed before: " + failure));
    }
    Optional<String> refusal = contender.refusal(phase.data().durability());
    if (refusal.isPresent() && phase.demandsDurability()) {
      return Optional.of(Outcome.unsupported(contender.label(), refusal.get()));
    }
    if (phase.action() == Action.SCAN_BACKWARD && !contender.scansBackward()) {
      return Optional.of(Outcome.unsupported(contender.label(), "its cursors go forward only"));
    }
    return Optional.empty();
  }

  private Outcome failed(Phase phase, Contender contender, BenchmarkException failure)
      throws DiskException {
    String reason = String.valueOf(failure.getMessage());
    failures.put(name(contender, phase), reason);
    discard(contender, phase);
    return Outcome.failed(contender.label(), reason);
  }

  private static Outcome outcome(
      Phase phase, Contender contender, List<Measurement> rounds, String shortfall, String warmth) {
    long wrong = rounds.stream().mapToLong(Measurement::wrongAnswers).sum();
    if (wrong > 0) {
      return Outcome.failed(contender.label(), "%,d wrong answers".formatted(wrong));
    }
    String refusal = contender.refusal(phase.data().durability()).orElse("");
    String note =
        Stream.of(shortfall, refusal, warmth)
            .filter(each -> !each.isEmpty())
            .collect(Collectors.joining("; "));
    Outcome outcome = Outcome.of(contender.label(), rounds).noting(note);
    // A load that is cut off was measured where a store is fastest, which favours it alone.
    boolean load = phase.action().extent() == Extent.RECORDS;
    return shortfall.isEmpty() || load ? outcome : outcome.partly();
  }

  /**
   * A store that can't log works on what it loaded without a log where others work on the main
   * data.
   */
  private static CopyName name(Contender contender, Phase phase) {
    boolean unlogged =
        phase.data() == Data.MAIN && contender.refusal(Data.MAIN.durability()).isPresent();
    return new CopyName(contender, unlogged ? Data.UNLOGGED : phase.data());
  }

  private StoreCopy copy(Contender contender, Phase phase) throws DiskException {
    CopyName name = name(contender, phase);
    StoreCopy copy = copies.get(name);
    if (copy == null) {
      copy = new StoreCopy(contender, name.data, settings, children);
      files.createDirectories(copy.directory());
      copies.put(name, copy);
    }
    return copy;
  }

  /** After a store's last round: what is not needed any more goes, the rest is made ready. */
  private void tidy(Phase phase, Contender contender, List<Phase> later, DoubleConsumer progress)
      throws BenchmarkException, DiskException {
    CopyName name = name(contender, phase);
    boolean needed =
        later.stream()
            .filter(next -> settings.contenders(next).contains(contender))
            .anyMatch(next -> name(contender, next).equals(name));
    if (!needed) {
      discard(contender, phase);
      return;
    }
    if (phase.action().extent() == Extent.RECORDS) {
      copy(contender, phase).fill(progress);
    }
    if (!phase.action().inRounds()) {
      writeBack();
    }
  }

  private void discard(Contender contender, Phase phase) throws DiskException {
    StoreCopy copy = copies.remove(name(contender, phase));
    if (copy != null) {
      copy.close();
      ScratchFiles.delete(copy.directory(), files);
    }
  }

  /** Lets the kernel write what a store left in the page cache, so that the next one need not. */
  private static void writeBack() {
    try {
      new ProcessBuilder("sync").start().onExit().join();
    } catch (IOException noSuchCommand) {
      // The kernel does it in its own time.
      assert noSuchCommand != null;
    }
  }
}
