package dev.varve.ycsb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.dataset.StorageEngine;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.Vector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

/**
 * Goal: YCSB's operations do what YCSB says they do, and its own workloads run without a refusal.
 * Method: clients as YCSB makes them, on a real directory that is verified afterwards.
 */
final class VarveClientTest {
  private static final String TABLE = "usertable";

  @TempDir private Path directory;

  @AfterEach
  void verify() throws Exception {
    if (Files.exists(directory.resolve("store"))) {
      try (StorageEngine engine = StorageEngine.open(directory.resolve("store"))) {
        assertEquals(List.of(), engine.verify().problems());
      }
    }
  }

  private VarveClient client(String... namesAndValues) throws DBException {
    Properties properties = new Properties();
    properties.setProperty("varve.dir", directory.resolve("store").toString());
    for (int i = 0; i < namesAndValues.length; i += 2) {
      properties.setProperty(namesAndValues[i], namesAndValues[i + 1]);
    }
    VarveClient client = new VarveClient();
    client.setProperties(properties);
    client.init();
    return client;
  }

  private static Map<String, ByteIterator> fields(Map<String, String> fields) {
    return StringByteIterator.getByteIteratorMap(fields);
  }

  private static Map<String, String> read(VarveClient client, String key, Set<String> wanted) {
    Map<String, ByteIterator> found = new HashMap<>();
    assertEquals(Status.OK, client.read(TABLE, key, wanted, found));
    return StringByteIterator.getStringMap(found);
  }

  @Test
  void recordsAreInsertedReadChangedAndDeleted() throws DBException {
    VarveClient client = client();
    Map<String, String> record = Map.of("f0", "zero", "f1", "one");
    assertEquals(Status.OK, client.insert(TABLE, "k", fields(record)));
    assertEquals(record, read(client, "k", null));
    assertEquals(Map.of("f1", "one"), read(client, "k", Set.of("f1")));
    assertEquals(Status.OK, client.update(TABLE, "k", fields(Map.of("f1", "uno"))));
    assertEquals(Map.of("f0", "zero", "f1", "uno"), read(client, "k", null));
    assertEquals(Status.NOT_FOUND, client.read(TABLE, "j", null, new HashMap<>()));
    assertEquals(Status.NOT_FOUND, client.update(TABLE, "j", fields(record)));
    assertEquals(Status.NOT_FOUND, client.delete(TABLE, "j"));
    assertEquals(Status.OK, client.delete(TABLE, "k"));
    assertEquals(Status.NOT_FOUND, client.read(TABLE, "k", null, new HashMap<>()));
    client.cleanup();
  }

  @Test
  @SuppressWarnings({"JdkObsolete", "NonApiType"}) // YCSB's signature
  void aScanBeginsAtItsKeyAndEndsAtItsCount() throws DBException {
    VarveClient client = client();
    for (int i = 0; i < 20; i++) {
      String name = "k" + (10 + i);
      assertEquals(Status.OK, client.insert(TABLE, name, fields(Map.of("n", name, "m", "x"))));
    }
    List<String> names = new ArrayList<>();
    Vector<HashMap<String, ByteIterator>> rows = new Vector<>();
    assertEquals(Status.OK, client.scan(TABLE, "k125", 4, Set.of("n"), rows));
    rows.forEach(row -> names.add(StringByteIterator.getStringMap(row).toString()));
    assertEquals(List.of("{n=k13}", "{n=k14}", "{n=k15}", "{n=k16}"), names);
    rows.clear();
    assertEquals(Status.OK, client.scan(TABLE, "k28", 4, null, rows));
    assertEquals(2, rows.size());
    client.cleanup();
  }

  @Test
  void blindUpdatesPutWhatComes() throws DBException {
    VarveClient client = client("varve.update", "blind");
    client.insert(TABLE, "k", fields(Map.of("f0", "zero")));
    assertEquals(Status.OK, client.update(TABLE, "k", fields(Map.of("f1", "one"))));
    assertEquals(Map.of("f1", "one"), read(client, "k", null));
    client.cleanup();
  }

  @Test
  void aSecondInsertReplacesUnlessKeysAreUnique() throws DBException {
    VarveClient blind = client();
    blind.insert(TABLE, "k", fields(Map.of("f0", "first")));
    assertEquals(Status.OK, blind.insert(TABLE, "k", fields(Map.of("f0", "second"))));
    VarveClient unique = client("varve.insert", "unique");
    Status refused = unique.insert(TABLE, "k", fields(Map.of("f0", "third")));
    assertEquals("DUPLICATE_KEY", refused.getName());
    assertEquals(Map.of("f0", "second"), read(unique, "k", null));
    unique.cleanup();
    blind.cleanup();
  }

  @Test
  void whatOneClientWroteOthersFindAlsoAfterReopening() throws DBException {
    VarveClient one = client();
    VarveClient two = client();
    one.insert(TABLE, "k", fields(Map.of("f0", "zero")));
    assertEquals(Map.of("f0", "zero"), read(two, "k", null));
    one.cleanup();
    assertEquals(Map.of("f0", "zero"), read(two, "k", null));
    two.cleanup();
    VarveClient later = client();
    assertEquals(Map.of("f0", "zero"), read(later, "k", null));
    later.cleanup();
    later.cleanup();
  }

  @Test
  void aReadIsNotChangedByTheNextOne() throws DBException {
    VarveClient client = client();
    client.insert(TABLE, "a", fields(Map.of("f0", "first")));
    client.insert(TABLE, "b", fields(Map.of("f0", "other")));
    Map<String, ByteIterator> first = new HashMap<>();
    client.read(TABLE, "a", null, first);
    client.read(TABLE, "b", null, new HashMap<>());
    assertEquals(Map.of("f0", "first"), StringByteIterator.getStringMap(first));
    client.cleanup();
  }

  @Test
  void theTableOfARunIsOpenBeforeItsFirstOperation() throws Exception {
    VarveClient client = client("table", "other");
    client.cleanup();
    try (StorageEngine engine = StorageEngine.open(directory.resolve("store"))) {
      assertEquals(List.of("other"), List.copyOf(engine.names()));
    }
  }

  @Test
  void updatesOfOneRecordByManyThreadsLoseNothing() throws Exception {
    int threads = 4;
    int updates = 200;
    VarveClient first = client();
    first.insert(TABLE, "k", fields(Map.of("f", "x")));
    List<Thread> running = new ArrayList<>();
    List<String> bad = Collections.synchronizedList(new ArrayList<>());
    for (int t = 0; t < threads; t++) {
      VarveClient client = client();
      String field = "f" + t;
      Thread thread =
          new Thread(
              () -> {
                for (int i = 1; i <= updates; i++) {
                  Status status = client.update(TABLE, "k", fields(Map.of(field, "" + i)));
                  if (!status.isOk()) {
                    bad.add(status.getName());
                  }
                }
                try {
                  client.cleanup();
                } catch (DBException e) {
                  bad.add(e.getMessage());
                }
              });
      thread.start();
      running.add(thread);
    }
    for (Thread thread : running) {
      thread.join();
    }
    assertEquals(List.of(), bad);
    Map<String, String> record = read(first, "k", null);
    for (int t = 0; t < threads; t++) {
      assertEquals("" + updates, record.get("f" + t));
    }
    first.cleanup();
  }

  @Test
  void whatIsWrongWithPropertiesOrDirectoryIsSaid() throws Exception {
    DBException missing = assertThrows(DBException.class, () -> client("varve.durability", "x"));
    assertTrue(missing.getMessage().contains("none of power-loss"), missing.getMessage());
    try (StorageEngine open = StorageEngine.open(directory.resolve("store"))) {
      DBException inUse = assertThrows(DBException.class, this::client);
      assertTrue(inUse.getMessage().contains("in use"), inUse.getMessage());
      assertEquals(List.of(), open.names());
    }
  }

  /** Notes what a workload asked for and what it was told. */
  private static final class Watched extends DB {
    private final DB client;
    private final Set<String> asked = new TreeSet<>();
    private final List<String> refused = new ArrayList<>();

    Watched(DB client) {
      this.client = client;
    }

    private Status told(String operation, Status status) {
      asked.add(operation);
      if (!status.isOk()) {
        refused.add(operation + " " + status.getName());
      }
      return status;
    }

    @Override
    public Status read(
        String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
      return told("read", client.read(table, key, fields, result));
    }

    @Override
    @SuppressWarnings({"JdkObsolete", "NonApiType"}) // YCSB's signature
    public Status scan(
        String table,
        String startKey,
        int recordCount,
        Set<String> fields,
        Vector<HashMap<String, ByteIterator>> result) {
      return told("scan", client.scan(table, startKey, recordCount, fields, result));
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
      return told("update", client.update(table, key, values));
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
      return told("insert", client.insert(table, key, values));
    }

    @Override
    public Status delete(String table, String key) {
      return told("delete", client.delete(table, key));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "a, insert read update",
    "b, insert read update",
    "c, insert read",
    "d, insert read",
    "e, insert scan",
    "f, insert read update"
  })
  void coreWorkloadsRunWithoutARefusal(String workload, String operations) throws Exception {
    int records = 500;
    Properties properties = new Properties();
    try (Reader file = Files.newBufferedReader(Path.of("workloads", workload + ".properties"))) {
      properties.load(file);
    }
    properties.setProperty("varve.dir", directory.resolve("store").toString());
    properties.setProperty("recordcount", "" + records);
    Measurements.setProperties(properties);
    CoreWorkload core = new CoreWorkload();
    core.init(properties);
    VarveClient client = new VarveClient();
    client.setProperties(properties);
    client.init();
    Watched watched = new Watched(client);
    Object thread = core.initThread(properties, 0, 1);
    for (int i = 0; i < records; i++) {
      assertTrue(core.doInsert(watched, thread));
    }
    for (int i = 0; i < 1_000; i++) {
      assertTrue(core.doTransaction(watched, thread));
    }
    client.cleanup();
    core.cleanup();
    assertEquals(List.of(), watched.refused);
    assertEquals(operations, String.join(" ", watched.asked));
  }
}
