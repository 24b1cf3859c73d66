package dev.varve.benchmarks.ycsb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.child.ChildLink;
import dev.varve.benchmarks.child.ChildStarter;
import dev.varve.benchmarks.child.DirectLink;
import dev.varve.benchmarks.measure.Outcome;
import dev.varve.benchmarks.measure.Work;
import dev.varve.benchmarks.report.Section;
import dev.varve.benchmarks.report.SectionWatcher;
import dev.varve.benchmarks.store.StoreMemory;
import dev.varve.common.env.LocalFileSystem;
import dev.varve.common.env.SystemClock;
import dev.varve.common.env.ThreadTaskExecutor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Vector;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;
import site.ycsb.workloads.CoreWorkload;

/**
 * Goal: the clients of all stores do the same, and a wrong answer or a failure is told and does not
 * end the run. Method: clients on real directories, and comparisons whose children are in this
 * process.
 */
final class YcsbClientsTest {
  private static final String TABLE = "usertable";

  @TempDir Path directory;

  private final List<String> ended = new ArrayList<>();

  private YcsbSettings settings() {
    return new YcsbSettings(
        directory,
        new YcsbSettings.Records(200, 100),
        100,
        1,
        new StoreMemory(8 << 20, 2 << 20),
        new Maintenance("varve", 0));
  }

  private static Map<String, ByteIterator> fields(Map<String, String> fields) {
    return StringByteIterator.getByteIteratorMap(fields);
  }

  private static Map<String, String> read(DB client, String key) {
    Map<String, ByteIterator> found = new HashMap<>();
    assertEquals(Status.OK, client.read(TABLE, key, null, found));
    return StringByteIterator.getStringMap(found);
  }

  @SuppressWarnings("JdkObsolete") // YCSB takes a vector
  @ParameterizedTest
  @EnumSource
  void clientsInsertReadChangeScanAndDelete(YcsbStore store) throws Exception {
    Files.createDirectories(settings().of(store).directory());
    try (YcsbClients clients = store.open(settings().of(store), settings().maintenance())) {
      DB client = clients.client(new Properties());
      Map<String, String> record = Map.of("f0", "zero", "f1", "one");
      for (String key : List.of("k1", "k2", "k3")) {
        assertEquals(Status.OK, client.insert(TABLE, key, fields(record)));
      }
      assertEquals(Status.OK, client.update(TABLE, "k2", fields(Map.of("f1", "uno"))));
      assertEquals(Map.of("f0", "zero", "f1", "uno"), read(client, "k2"));
      Vector<HashMap<String, ByteIterator>> rows = new Vector<>();
      assertEquals(Status.OK, client.scan(TABLE, "k2", 10, null, rows));
      assertEquals(2, rows.size());
      assertEquals(Status.OK, client.delete(TABLE, "k1"));
      assertEquals(Status.NOT_FOUND, client.read(TABLE, "k1", null, new HashMap<>()));
      assertEquals(Status.NOT_FOUND, client.update(TABLE, "k1", fields(record)));
      client.cleanup();
    }
    try (YcsbClients again = store.open(settings().of(store), settings().maintenance())) {
      DB client = again.client(new Properties());
      assertEquals(Map.of("f0", "zero", "f1", "one"), read(client, "k3"));
      client.cleanup();
    }
  }

  @Test
  @SuppressWarnings("JdkObsolete") // YCSB takes a vector
  void whatIsNotFoundIsCountedAsWrong() throws Exception {
    Files.createDirectories(settings().of(YcsbStore.ROCKSDB).directory());
    try (YcsbClients clients =
        YcsbStore.ROCKSDB.open(settings().of(YcsbStore.ROCKSDB), settings().maintenance())) {
      CheckedClient client = new CheckedClient(clients.client(new Properties()));
      assertEquals(Status.NOT_FOUND, client.read(TABLE, "absent", null, new HashMap<>()));
      assertEquals(1, client.wrong());
      assertEquals(Status.NOT_FOUND, client.firstWrong());
      client.scan(TABLE, "absent", 10, null, new Vector<>());
      assertEquals(2, client.wrong());
      client.cleanup();
    }
  }

  private final class Journal implements SectionWatcher {
    @Override
    public void begins(String id, double seconds) {
      // Only ends are looked at.
    }

    @Override
    public void progress(double share, String what) {
      assertTrue(share >= 0 && share <= 1, what + " " + share);
    }

    @Override
    public void ended(Section section) {
      ended.add(section.id());
    }
  }

  private List<Section> compare(List<YcsbStore> stores, ChildStarter starter) throws Exception {
    return new YcsbComparison(settings(), stores, new LocalFileSystem(), starter, new Journal())
        .run(
            YcsbPass.all(List.of(YcsbPass.Choice.ZIPFIAN), List.of(YcsbWorkload.D, YcsbWorkload.E)),
            null);
  }

  private static ChildLink direct() {
    return new DirectLink<>(
        new YcsbServer(new LocalFileSystem(), new SystemClock(), new ThreadTaskExecutor()));
  }

  @Test
  void recordsThatAWorkloadInsertsAreThereForTheNext() throws Exception {
    List<Work> works = new ArrayList<>();
    List<Long> inserted = new ArrayList<>();
    compare(
        List.of(YcsbStore.ROCKSDB),
        (name, jvmArguments) -> {
          ChildLink link = direct();
          return new ChildLink() {
            @Override
            public <R> @Nullable R ask(
                Object request, Class<R> result, double seconds, DoubleConsumer progress)
                throws BenchmarkException {
              YcsbRequest.Paced paced = ((YcsbRequest) request).paced();
              R answer = link.ask(request, result, seconds, progress);
              if (paced != null && !paced.work().task().equals(YcsbRequest.LOAD)) {
                works.add(paced.work());
                inserted.add(((YcsbAnswer) assertNotNullAndGet(answer)).inserted());
              }
              return answer;
            }

            @Override
            public void kill() {
              link.kill();
            }

            @Override
            public void close() {
              link.close();
            }
          };
        });
    assertEquals(4, works.size());
    assertEquals(200, works.get(0).records().count());
    assertEquals(200 + inserted.get(0) + inserted.get(1), works.get(2).records().count());
    assertTrue(inserted.get(0) + inserted.get(1) > 0, inserted::toString);
  }

  private static Object assertNotNullAndGet(@Nullable Object answer) {
    assertNotNull(answer);
    return answer;
  }

  @Test
  void aStoreThatFailsIsLeftOutAndTheOthersGoOn() throws Exception {
    List<Section> sections =
        compare(
            List.of(YcsbStore.VARVE, YcsbStore.ROCKSDB),
            (name, jvmArguments) -> {
              if (name.equals("rocksdb") && !ended.isEmpty()) {
                throw new BenchmarkException("no luck");
              }
              return direct();
            });
    assertEquals(List.of("load", "d.cold", "d.warm", "e.cold", "e.warm"), ended);
    for (Section section : sections.subList(1, sections.size())) {
      Outcome varve = section.outcomes().get(0);
      assertEquals(Outcome.Status.DONE, varve.status(), varve::toString);
      Outcome broken = section.outcomes().get(1);
      assertEquals(Outcome.Status.FAILED, broken.status());
      assertEquals("no luck", broken.note());
    }
  }

  @Test
  void aStoppedComparisonEnds() {
    YcsbComparison[] comparison = new YcsbComparison[1];
    comparison[0] =
        new YcsbComparison(
            settings(),
            List.of(YcsbStore.VARVE),
            new LocalFileSystem(),
            (name, jvmArguments) -> {
              comparison[0].stop();
              throw new BenchmarkException("killed");
            },
            new Journal());
    List<YcsbPass> passes = List.of(new YcsbPass(YcsbWorkload.A, YcsbPass.Choice.ZIPFIAN));
    assertThrows(BenchmarkException.class, () -> comparison[0].run(passes, null));
    assertEquals(List.of(), ended);
  }

  @Test
  void aPaceIsANumberOrAPartOfWhatTheStoreDid() {
    assertEquals(new YcsbArrivals(2500, 0, 0), YcsbArrivals.parse("2500"));
    assertEquals(new YcsbArrivals(0, 0.95, 0), YcsbArrivals.parse("95%"));
    assertEquals(new YcsbArrivals(2500, 0, 60), YcsbArrivals.parse("2500x60"));
    assertEquals(new YcsbArrivals(0, 0.95, 1.5), YcsbArrivals.parse("95%x1.5"));
    List<String> wrongs =
        List.of("", "%", "fast", "0", "-3%", "NaN", "Infinity", "x", "x60", "5x", "5x0", "5x-1");
    for (String wrong : wrongs) {
      assertThrows(IllegalArgumentException.class, () -> YcsbArrivals.parse(wrong), wrong);
    }
  }

  @Test
  void aPassIsFoundByItsLabelAndChoosesItsKeys() throws Exception {
    List<YcsbPass> all =
        YcsbPass.all(List.of(YcsbPass.Choice.values()), List.of(YcsbWorkload.values()));
    assertEquals(12, all.size());
    for (YcsbPass pass : all) {
      assertEquals(pass, YcsbPass.of(pass.label()));
      String usual = pass.workload() == YcsbWorkload.D ? "latest" : "zipfian";
      assertEquals(
          pass.choice() == YcsbPass.Choice.UNIFORM ? "uniform" : usual,
          pass.properties(10, 10).getProperty(CoreWorkload.REQUEST_DISTRIBUTION_PROPERTY));
    }
    assertThrows(BenchmarkException.class, () -> YcsbPass.of("z"));
  }
}
