package dev.varve.benchmarks.kv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.benchmarks.BenchProcess;
import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.child.ChildLink;
import dev.varve.benchmarks.child.ChildStarter;
import dev.varve.benchmarks.child.DirectLink;
import dev.varve.benchmarks.measure.Measurement;
import dev.varve.benchmarks.measure.Outcome;
import dev.varve.benchmarks.measure.Outcome.Status;
import dev.varve.benchmarks.measure.Pace;
import dev.varve.benchmarks.report.Section;
import dev.varve.benchmarks.report.SectionWatcher;
import dev.varve.benchmarks.store.StoreKind;
import dev.varve.benchmarks.store.StoreMemory;
import dev.varve.benchmarks.store.StoreSettings;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.LocalFileSystem;
import dev.varve.common.env.SystemClock;
import dev.varve.common.env.ThreadTaskExecutor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: every phase of every suite runs, on a store in this process and on one in a child; what
 * fails is told and does not end the run. Method: 2,000 records and rounds of a fiftieth of a
 * second; nothing is asserted about time.
 */
final class ComparisonTest {
  private static final long RECORDS = 2_000;
  private static final Contender MEMORY = new Contender("memory", null);

  @TempDir Path directory;

  private final FileSystem files = new LocalFileSystem();
  private final Journal journal = new Journal();

  /** Keeps what it is told. */
  private static final class Journal implements SectionWatcher {
    private final List<String> begun = new ArrayList<>();
    private final List<String> ended = new ArrayList<>();

    @Override
    public void begins(String id, double estimatedSeconds) {
      assertTrue(estimatedSeconds >= 0);
      begun.add(id);
    }

    @Override
    public void progress(double share, String what) {
      assertTrue(share >= 0 && share <= 1.0001, what + " " + share);
    }

    @Override
    public void ended(Section section) {
      ended.add(section.id());
    }
  }

  private ComparisonSettings settings(List<Contender> contenders, List<Phase> phases) {
    return settings(contenders, phases, new Pace(0.02, 2, 20));
  }

  private ComparisonSettings settings(List<Contender> contenders, List<Phase> phases, Pace pace) {
    return new ComparisonSettings(
        contenders,
        phases,
        new ComparisonSettings.Rows(RECORDS, 20, 42),
        new StoreMemory(1 << 20, 1 << 20),
        directory.resolve("stores"),
        pace);
  }

  private Results run(ComparisonSettings settings, ChildStarter starter)
      throws BenchmarkException, dev.varve.common.error.DiskException {
    return new Comparison(settings, files, starter, journal).run(new SystemClock(), "now");
  }

  /** A link to a server in this process; stores live as long as their directories. */
  private ChildLink direct(StoreOpener opener) {
    return new DirectLink<>(
        new StoreServer(opener, files, new SystemClock(), new ThreadTaskExecutor()));
  }

  private ChildStarter inMemory(Map<Path, MemoryStore> stores) {
    return (name, jvmArguments) ->
        direct(
            (label, settings) ->
                stores.computeIfAbsent(settings.directory(), absent -> new MemoryStore()));
  }

  /** Of two that the settings ask for. */
  private static int rounds(Action action) {
    if (!action.inRounds()) {
      return 1;
    }
    return action == Action.COMMIT || action == Action.SCAN_ALL ? 6 : 2;
  }

  @Test
  void everyPhaseRunsOnAStoreInMemory() throws Exception {
    Map<Path, MemoryStore> stores = new HashMap<>();
    Results results = run(settings(List.of(MEMORY), Phase.ALL), inMemory(stores));

    assertEquals(Phase.ALL.stream().map(Phase::id).toList(), journal.ended);
    assertEquals(journal.begun, journal.ended);
    for (PhaseOutcome phase : results.phases()) {
      for (Outcome outcome : phase.outcomes()) {
        assertEquals(Status.DONE, outcome.status(), phase.id() + " " + outcome);
        Measurement measured = outcome.measurement();
        assertNotNull(measured);
        assertTrue(measured.operations() > 0, phase.id());
        assertEquals(0, measured.wrongAnswers(), phase.id());
        assertEquals(rounds(phase.phase().action()), outcome.rounds().size(), phase.id());
      }
    }
    assertEquals(
        List.of("memory", "device"),
        results.phase("durable.commit").orElseThrow().outcomes().stream()
            .map(Outcome::store)
            .toList());
    assertEquals(RECORDS, loaded(results, "main.load"));
    assertEquals(RECORDS / 10, loaded(results, "large-values.load"));
    assertEquals(RECORDS / 5, loaded(results, "recovery.open"));
    assertEquals(RECORDS * 10, loaded(results, "scale.load-10"));
    Outcome cold = results.phase("main.read-cold").orElseThrow().outcomes().get(0);
    assertEquals(1, cold.rounds().size());
    // Two of five records, three times over; what is on disk is held against those that live.
    Measurement overwritten =
        results.phase("main.overwrite").orElseThrow().of("memory").orElseThrow();
    assertEquals(3 * RECORDS * 2 / 5, overwritten.operations());
    assertEquals(RECORDS * 2 / 5, overwritten.found().rows());
    // A fifth is gone by then.
    MemoryStore main = stores.get(directory.resolve("stores").resolve("memory-MAIN"));
    assertEquals(RECORDS - RECORDS / 5, main.size());
    assertFalse(files.exists(directory.resolve("stores").resolve("memory-MAIN")));
  }

  private static long loaded(Results results, String phase) {
    return results.phase(phase).orElseThrow().of("memory").orElseThrow().operations();
  }

  @Test
  void phasesWithoutTheirLoadFindTheirRecordsFilledIn() throws Exception {
    Map<Path, MemoryStore> stores = new HashMap<>();
    List<Phase> reads = Phase.ALL.stream().filter(phase -> phase.isCalled("full-scan")).toList();
    Results results = run(settings(List.of(MEMORY), reads), inMemory(stores));
    long visited = loaded(results, "main.full-scan");
    assertTrue(visited >= RECORDS && visited % RECORDS == 0, visited + " rows");
  }

  @Test
  void readsOfALoadThatWasCutOffBoundNobody() throws Exception {
    Map<Path, MemoryStore> stores = new HashMap<>();
    List<Phase> phases =
        Phase.ALL.stream()
            .filter(phase -> phase.isCalled("main.load") || phase.isCalled("main.full-scan"))
            .toList();
    // No time at all: one record is put, and a batch of those that a fill puts beside it is none.
    ComparisonSettings hurried = settings(List.of(MEMORY), phases, new Pace(0.02, 2, 0));
    Results results = run(hurried, inMemory(stores));
    Outcome load = results.phase("main.load").orElseThrow().outcomes().get(0);
    assertEquals(Status.DONE, load.status());
    assertEquals(1, loaded(results, "main.load"));
    Outcome scan = results.phase("main.full-scan").orElseThrow().outcomes().get(0);
    assertEquals(Status.PARTLY, scan.status());
    assertEquals("1 of 2,000 records", scan.note());
  }

  @Test
  void aStoreThatLosesRecordsIsToldAsWrong() throws Exception {
    MemoryStore forgetful = new MemoryStore();
    List<Phase> phases =
        Phase.ALL.stream()
            .filter(phase -> phase.isCalled("main.load") || phase.isCalled("main.full-scan"))
            .toList();
    Results results =
        run(
            settings(List.of(MEMORY), phases),
            (name, jvmArguments) ->
                direct(
                    (label, settings) -> {
                      byte[] key = new byte[Records.KEY_BYTES];
                      new Records(KeyOrder.RANDOM, 42).key(RECORDS + 1, key);
                      forgetful.put(key, key);
                      return forgetful;
                    }));
    Outcome scan = results.phase("main.full-scan").orElseThrow().outcomes().get(0);
    assertEquals(Status.FAILED, scan.status());
    assertTrue(scan.note().contains("wrong"), scan.note());
  }

  @Test
  void aStoreThatFailsIsLeftOutAndTheOthersGoOn() throws Exception {
    Contender broken = new Contender("broken", null);
    Map<Path, MemoryStore> stores = new HashMap<>();
    List<Phase> phases = Phase.ALL.stream().filter(phase -> phase.data() == Data.MAIN).toList();
    Results results =
        run(
            settings(List.of(MEMORY, broken), phases),
            (name, jvmArguments) ->
                name.startsWith("broken")
                    ? direct(
                        (label, settings) -> {
                          throw new BenchmarkException("no luck", new IllegalStateException());
                        })
                    : inMemory(stores).start(name, jvmArguments));
    for (PhaseOutcome phase : results.phases()) {
      assertEquals(Status.DONE, phase.outcomes().get(0).status(), phase.id());
      assertEquals(Status.FAILED, phase.outcomes().get(1).status(), phase.id());
      assertTrue(phase.outcomes().get(1).note().contains("no luck"), phase.id());
    }
  }

  @Test
  void varveRunsInAProcessOfItsOwnAndIsFoundAfterAKill() throws Exception {
    List<Phase> phases =
        Phase.ALL.stream()
            .filter(phase -> phase.suite() != Suite.SCALE)
            .filter(
                phase ->
                    phase.data() == Data.MAIN
                        || phase.data() == Data.DURABLE
                        || phase.data() == Data.LOG)
            .toList();
    ComparisonSettings settings = settings(List.of(Contender.of(StoreKind.VARVE)), phases);
    Results results =
        run(
            settings,
            BenchProcess.starter(BenchProcess.Kind.KV, directory, new ThreadTaskExecutor()));
    for (PhaseOutcome phase : results.phases()) {
      for (Outcome outcome : phase.outcomes()) {
        assertEquals(Status.DONE, outcome.status(), phase.id() + " " + outcome);
      }
    }
    Measurement load = results.phase("main.load").orElseThrow().of("varve").orElseThrow();
    assertEquals(RECORDS, load.operations());
    assertTrue(load.cost().peakResidentBytes() != 0);
    // Of them all: the system counts in hundredths of a second, and this load may take less.
    double cpuSeconds =
        results.phases().stream()
            .flatMap(phase -> phase.outcomes().stream())
            .mapToDouble(
                outcome -> Objects.requireNonNull(outcome.measurement()).cost().cpuSeconds())
            .sum();
    assertTrue(cpuSeconds > 0);
  }

  @Test
  void aChildThatDiesIsTold() throws Exception {
    StoreSettings opened =
        new StoreCopy(MEMORY, Data.MAIN, settings(List.of(MEMORY), List.of()), refusing())
            .storeSettings(1 << 20);
    try (ChildLink child =
        BenchProcess.starter(BenchProcess.Kind.KV, directory, new ThreadTaskExecutor())
            .start("memory", MEMORY.jvmArguments(opened))) {
      BenchmarkException unknown =
          assertThrows(
              BenchmarkException.class,
              () ->
                  child.ask(
                      Request.open(new Request.Opening("memory", opened, KeyOrder.RANDOM, 1), null),
                      Measurement.class,
                      60,
                      share -> {}));
      assertTrue(String.valueOf(unknown.getMessage()).contains("no store is called"));
      child.kill();
      BenchmarkException dead =
          assertThrows(
              BenchmarkException.class,
              () -> child.ask(Request.close(), Measurement.class, 60, share -> {}));
      assertTrue(String.valueOf(dead.getMessage()).contains("ended"), dead::toString);
    }
  }

  private static ChildStarter refusing() {
    return (name, jvmArguments) -> {
      throw new BenchmarkException("none");
    };
  }

  @Test
  void stoppingEndsTheRun() {
    Comparison[] comparison = new Comparison[1];
    comparison[0] =
        new Comparison(
            settings(List.of(MEMORY), Phase.ALL),
            files,
            (name, jvmArguments) -> {
              comparison[0].stop();
              throw new BenchmarkException("killed");
            },
            journal);
    assertThrows(BenchmarkException.class, () -> comparison[0].run(new SystemClock(), "now"));
    assertEquals(1, journal.begun.size());
    assertEquals(List.of(), journal.ended);
  }
}
