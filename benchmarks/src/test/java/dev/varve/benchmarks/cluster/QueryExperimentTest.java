package dev.varve.benchmarks.cluster;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.cluster.ClusterExperiment.Claim;
import dev.varve.benchmarks.cluster.QueryExperiment.Cell;
import dev.varve.benchmarks.cluster.QueryExperiment.Kind;
import dev.varve.benchmarks.cluster.QueryExperiment.Query;
import dev.varve.benchmarks.cluster.QueryExperiment.Region;
import dev.varve.benchmarks.cluster.QueryExperiment.Row;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Goal: a claim holds just where the figures say so, what is asked for has the size that it should,
 * and a run leaves no cluster behind. Method: rows made up, and commands that only write down what
 * they were called with.
 */
final class QueryExperimentTest {
  private static final Map<Region, int[]> PRINTED =
      Map.of(
          Region.DURING, new int[] {1023, 1185, 2846, 11647},
          Region.AFTER, new int[] {139, 191, 634, 3747},
          Region.COMPACTED, new int[] {138, 184, 500, 3381});

  private static Row table3(Map<Region, int[]> millis) {
    List<Query> queries = new ArrayList<>();
    for (Region region : millis.keySet()) {
      for (int i = 0; i < QueryExperiment.CARDINALITIES.size(); i++) {
        int wanted = QueryExperiment.CARDINALITIES.get(i);
        double mean = requireNonNull(millis.get(region))[i] / 1e3;
        queries.add(new Query(region, wanted, wanted - 1, 0, mean * 0.5));
        queries.add(new Query(region, wanted, wanted + 1, 0, mean * 1.5));
      }
    }
    return new Row(QueryExperiment.TABLE3.cells().get(0), 10, 1, 0, queries);
  }

  private static List<Boolean> verdicts(QueryExperiment experiment, List<Row> rows) {
    return experiment.claims(rows).stream().map(Claim::holds).toList();
  }

  @Test
  void rangeQueriesAreToEachOtherAsPrinted() {
    List<Boolean> all = verdicts(QueryExperiment.TABLE3, List.of(table3(PRINTED)));
    assertEquals(9, all.size());
    assertTrue(all.stream().allMatch(holds -> holds), all::toString);
    int[] linear = {1, 10, 100, 1000};
    List<Boolean> none =
        verdicts(
            QueryExperiment.TABLE3,
            List.of(
                table3(
                    Map.of(
                        Region.DURING,
                        linear,
                        Region.AFTER,
                        linear,
                        Region.COMPACTED,
                        new int[] {10, 100, 1000, 10_000}))));
    assertTrue(none.stream().noneMatch(holds -> holds), none::toString);
    assertEquals(634, table3(PRINTED).millis(Region.AFTER).get(1_000), 1e-6);
    assertEquals(1_000, table3(PRINTED).found(Region.AFTER).get(1_000), 1e-6);
  }

  private static List<Row> rates(double alone, double queried) {
    return QueryExperiment.FIG5B.cells().stream()
        .map(
            cell ->
                new Row(cell, Math.round(100 * (cell.asks() ? queried : alone)), 100, 0, List.of()))
        .toList();
  }

  @Test
  void queriesCostAnIngestionATenthAtMost() {
    assertEquals(List.of(true, true), verdicts(QueryExperiment.FIG5B, rates(100, 91)));
    assertEquals(List.of(false, false), verdicts(QueryExperiment.FIG5B, rates(100, 89)));
  }

  private static List<Row> courses(IntToDoubleFunction millis) {
    List<Query> queries =
        IntStream.range(0, 100)
            .mapToObj(
                i -> new Query(Region.DURING, 0, 100 + i, i, millis.applyAsDouble(i / 10) / 1e3))
            .toList();
    return QueryExperiment.FIG5C.cells().stream()
        .map(cell -> new Row(cell, 1, 1, 0, queries))
        .toList();
  }

  @Test
  void aCourseIsASawtoothAndNoCollapse() {
    assertEquals(
        List.of(true, true, true, true),
        verdicts(QueryExperiment.FIG5C, courses(part -> 10 + part % 3)));
    assertEquals(
        List.of(false, false, false, false),
        verdicts(QueryExperiment.FIG5C, courses(part -> Math.pow(2, part))));
    assertEquals(10, courses(part -> part).get(0).course().size());
  }

  @Test
  void rowsOfOtherRunsAreRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> QueryExperiment.FIG5B.claims(rates(1, 1).subList(1, 3)));
    assertThrows(IllegalArgumentException.class, () -> new QueryRun.Asked(0, 1));
  }

  /** A cluster with as many records of each value as its last digit says. */
  private static final class Fake implements QueryRun.Program {
    private static final int VALUES = 1_000;
    private final List<String> called = new ArrayList<>();
    private int asksLeft = 5;

    static long records(long low, long high) {
      return IntStream.rangeClosed((int) low, (int) high).mapToLong(value -> value % 10).sum();
    }

    @Override
    public JsonNode run(List<String> arguments) throws BenchmarkException {
      called.add(String.join(" ", arguments));
      return json(arguments.contains("status") ? "{\"members\":[{\"pid\":7}]}" : "{}");
    }

    @Override
    public QueryRun.Child start(List<String> arguments) {
      String command = arguments.get(0);
      called.add(String.join(" ", arguments));
      return new QueryRun.Child() {
        @Override
        public boolean isAlive() {
          return asksLeft-- > 0;
        }

        @Override
        public JsonNode ask(String line) throws BenchmarkException {
          return answer(line);
        }

        @Override
        public JsonNode finish() throws BenchmarkException {
          return json("{\"feed\":{\"acknowledged\":571},\"cost\":{\"seconds\":2}}");
        }

        @Override
        public void close() {
          called.add("closed " + command);
        }
      };
    }

    private static JsonNode answer(String line) throws BenchmarkException {
      if (line.contains("--group")) {
        return json(
            IntStream.range(1, VALUES)
                .mapToObj(value -> "{\"value\":%d,\"records\":%d}".formatted(value, value % 10))
                .collect(Collectors.joining(",", "{\"found\":[", "]}")));
      }
      if (line.contains("--window") || line.contains("--range 0:")) {
        return json("{\"count\":3,\"seconds\":1,\"records\":[{\"sender_location\":[-1.5,2]}]}");
      }
      String[] bounds = line.replaceAll(".*--range (\\d+:\\d+) .*", "$1").split(":", -1);
      long count = records(Long.parseLong(bounds[0]), Long.parseLong(bounds[1]));
      return json("{\"count\":%d,\"seconds\":0.5}".formatted(count));
    }
  }

  private static JsonNode json(String text) throws BenchmarkException {
    try {
      return new ObjectMapper().readTree(text);
    } catch (IOException e) {
      throw new BenchmarkException("no JSON", e);
    }
  }

  private static Row run(Fake fake, Cell cell) throws BenchmarkException {
    long[] nanos = new long[1];
    return new QueryRun(
            new ClusterRun.Scale(1_000, 1 << 20, 1 << 20),
            new QueryRun.Asked(20, 42),
            fake,
            new QueryRun.Meters(pid -> 0, () -> nanos[0] += 1_000_000_000))
        .run(cell, "D");
  }

  @Test
  void aRunAsksDuringAfterAndCompacted() throws BenchmarkException {
    Fake fake = new Fake();
    Row row = run(fake, QueryExperiment.TABLE3.cells().get(0));
    assertEquals(571, row.records());
    assertEquals(285.5, row.rate());
    List<Integer> numbers = new ArrayList<>();
    for (Region region : Region.values()) {
      numbers.add((int) row.queries().stream().filter(query -> query.region() == region).count());
    }
    assertEquals(List.of(5, 20, 20), numbers);
    assertEquals(List.of(1.0, 2.0, 3.0), row.queries().stream().limit(3).map(Query::at).toList());
    for (Query query : row.queries()) {
      assertTrue(query.wanted() <= 2_250, query::toString); // half of what there is
      assertTrue(
          query.found() >= query.wanted() && query.found() < query.wanted() + 10, query::toString);
    }
    assertTrue(
        fake.called.stream().anyMatch(call -> call.startsWith("ingest --dir D --tweets 3429 ")),
        fake.called::toString);
    assertTrue(fake.called.contains("ingest --dir D --tweets 571 --json"), fake.called::toString);
    int compaction = fake.called.indexOf("compact --dir D --json");
    assertTrue(compaction > fake.called.indexOf("closed ingest"), fake.called::toString);
    assertEquals(
        List.of("closed shell", "cluster stop --dir D"),
        fake.called.subList(fake.called.size() - 2, fake.called.size()));
  }

  @Test
  void onlyWhatACellIsForIsAsked() throws BenchmarkException {
    Fake alone = new Fake();
    Row nothing = run(alone, new Cell("", "rtree:sender_location", Kind.NONE, 0.05));
    assertEquals(List.of(), nothing.queries());
    assertFalse(alone.called.contains("compact --dir D --json"), alone.called::toString);
    Row places = run(new Fake(), new Cell("", "rtree:sender_location", Kind.PLACES, 0.05));
    assertEquals(5, places.queries().size());
  }

  @Test
  void aWindowLiesAroundARecord() throws BenchmarkException {
    Questions questions = Questions.of(Kind.PLACES, Fake::answer, new Random(1));
    assertEquals("query --window=-1.750000,1.750000,-1.250000,2.250000", questions.next().line());
    assertThrows(
        BenchmarkException.class,
        () -> Questions.of(Kind.RANGES, line -> json("{\"found\":[]}"), new Random(1)));
  }
}
