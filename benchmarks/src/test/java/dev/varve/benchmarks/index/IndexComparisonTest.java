package dev.varve.benchmarks.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.index.IndexPhase.Kind;
import dev.varve.benchmarks.measure.Measurement;
import dev.varve.benchmarks.measure.Measurement.Cost;
import dev.varve.benchmarks.measure.Measurement.Found;
import dev.varve.benchmarks.measure.Measurement.Latency;
import dev.varve.benchmarks.measure.Outcome;
import dev.varve.benchmarks.measure.Outcome.Status;
import dev.varve.benchmarks.measure.Pace;
import dev.varve.benchmarks.measure.Work;
import dev.varve.benchmarks.report.Section;
import dev.varve.benchmarks.store.StoreMemory;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a store that finds something else has failed, unless it holds less. Method: benches that
 * say what they are told to.
 */
final class IndexComparisonTest {
  private static final int COUNT = 10;
  private static final List<IndexPhase> PHASES =
      List.of(
          new IndexPhase("load", "Load", Kind.LOAD),
          new IndexPhase("ask", "Ask", Kind.QUERY),
          new IndexPhase("again", "Ask again", Kind.QUERY));

  @TempDir Path directory;

  /** Loads so many and finds so much. */
  private record Said(long loaded, long digest) implements IndexBench {
    @Override
    public Measurement run(Work work, DoubleConsumer progress) throws BenchmarkException {
      progress.accept(1);
      if (digest < 0) {
        throw new BenchmarkException("broken");
      }
      boolean load = work.task().equals("load");
      return new Measurement(
          load ? loaded : 1,
          1,
          1,
          1,
          0,
          new Latency(1, List.of()),
          new Cost(0, 0, 0, 0, 0, 0, 0),
          List.of(),
          load ? Found.NOTHING : new Found(1, digest, 0));
    }

    @Override
    public void close() {
      // Holds nothing.
    }
  }

  private List<Section> run(Map<String, Said> benches, List<String> order) throws Exception {
    IndexSettings settings =
        new IndexSettings(
            directory,
            COUNT,
            1,
            0,
            new IndexSettings.Budget(4096, new StoreMemory(1, 1), "no-merge", false),
            new Pace(1, 2, 1));
    List<IndexContender> contenders =
        order.stream()
            .map(
                label ->
                    new IndexContender(
                        label,
                        "",
                        List.of(),
                        settings.in(directory.resolve(label)),
                        label.equals("refuses") ? Map.of("again", "cannot") : Map.of()))
            .toList();
    return InProcess.run(contenders, PHASES, request -> benches.get(request.store()));
  }

  @Test
  void whoFindsSomethingElseHasFailedAndIsLeftOut() throws Exception {
    List<Section> sections =
        run(
            Map.of("first", new Said(COUNT, 5), "other", new Said(COUNT, 6)),
            List.of("first", "other"));
    assertEquals(Status.DONE, outcome(sections, 1, 0).status());
    assertEquals(Status.FAILED, outcome(sections, 1, 1).status());
    assertTrue(outcome(sections, 2, 1).note().contains("other results in ask than first"));
  }

  @Test
  void whoHoldsLessMayFindSomethingElse() throws Exception {
    List<Section> sections =
        run(
            Map.of("first", new Said(COUNT, 5), "slow", new Said(COUNT - 1, 6)),
            List.of("slow", "first"));
    assertEquals(Status.DONE, outcome(sections, 1, 0).status());
    assertEquals("holds 9 only", outcome(sections, 1, 0).note());
    assertEquals(Status.DONE, outcome(sections, 1, 1).status());
  }

  @Test
  void whoThrowsHasFailedAndTheOthersGoOn() throws Exception {
    List<Section> sections =
        run(
            Map.of("broken", new Said(COUNT, -1), "first", new Said(COUNT, 5)),
            List.of("broken", "first"));
    assertEquals("broken", outcome(sections, 0, 0).note());
    assertEquals(Status.FAILED, outcome(sections, 2, 0).status());
    assertEquals(Status.DONE, outcome(sections, 2, 1).status());
  }

  @Test
  void whatAStoreRefusesIsNotAsked() throws Exception {
    List<Section> sections = run(Map.of("refuses", new Said(COUNT, 5)), List.of("refuses"));
    assertEquals(Status.DONE, outcome(sections, 1, 0).status());
    assertEquals(Status.UNSUPPORTED, outcome(sections, 2, 0).status());
    assertEquals("cannot", outcome(sections, 2, 0).note());
  }

  private static Outcome outcome(List<Section> sections, int phase, int store) {
    return sections.get(phase).outcomes().get(store);
  }

  @Test
  void aDigestIsOfSetsAndTheirOrder() {
    assertEquals(
        digest(new long[] {1, 2}, new long[] {3}), digest(new long[] {2, 1}, new long[] {3}));
    assertTrue(
        digest(new long[] {1, 2}, new long[] {3}) != digest(new long[] {3}, new long[] {1, 2}));
    assertTrue(
        digest(new long[] {1, 2}, new long[] {3}) != digest(new long[] {1}, new long[] {2, 3}));
    assertTrue(digest(new long[] {0}) != digest(new long[] {}));
  }

  private static long digest(long[]... sets) {
    Digest digest = new Digest();
    for (long[] set : sets) {
      for (long id : set) {
        digest.accept(id);
      }
      digest.endSet();
    }
    return digest.value();
  }
}
