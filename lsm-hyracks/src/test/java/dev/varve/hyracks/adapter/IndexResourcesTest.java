package dev.varve.hyracks.adapter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.varve.common.bytes.Slice;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.ManualClock;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.SteppedExecutor;
import dev.varve.dataset.EngineSeams;
import dev.varve.dataset.KeyValueSession;
import dev.varve.dataset.ProcessLimits;
import dev.varve.dataset.model.RecordLimits;
import dev.varve.dataset.options.EngineOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.hyracks.api.exceptions.ErrorCode;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.storage.common.IIndex;
import org.apache.hyracks.storage.common.LocalResource;
import org.junit.jupiter.api.Test;

/**
 * Goal: whatever becomes of the list of a node's indexes, no index is lost: a list that is absent,
 * damaged, another node's or not the newest is refused, and no crash leaves one that is. Method:
 * indexes are made, filled, dropped and made again in the order in which Hyracks' operators do it,
 * over a simulated disk; then the list is replaced by everything that it ever was.
 */
final class IndexResourcesTest {
  private static final Path LIST = Path.of("/node/resources.json");
  private static final int RECORDS = 20;

  private MemoryFileSystem files = newDisk();

  /** Every content that the list had, oldest first. */
  private final List<byte[]> versions = new ArrayList<>();

  private static MemoryFileSystem newDisk() {
    MemoryFileSystem disk = new MemoryFileSystem();
    try {
      disk.createDirectories(Path.of("/node"));
      disk.forceDirectory(Path.of("/"));
    } catch (StorageException impossible) {
      throw new AssertionError(impossible);
    }
    return disk;
  }

  private NodeStorage open() throws StorageException {
    EngineOptions options =
        EngineOptions.builder(Path.of("/node/store"))
            .cacheBytes(1 << 20)
            .logSegmentBytes(1 << 17)
            .recordLimits(new RecordLimits(32 << 10, 32, 32, 256))
            .build();
    return NodeStorage.open(options, seams(7));
  }

  /** What Hyracks' IndexBuilder does. */
  private static void create(NodeStorage node, String path, KeyField key) throws Exception {
    create(node, new StoreResource(path, 2, List.of(key)));
  }

  private static void create(NodeStorage node, StoreResource store) throws Exception {
    String path = store.getPath();
    IndexResources list = node.resources();
    if (list.get(path) != null) {
      list.delete(path);
    }
    LocalResource resource = new LocalResource(list.createId(), 7, true, store);
    IIndex index = node.registry().get(path);
    if (index == null) {
      index = store.createInstance(node);
    } else {
      node.registry().unregister(path);
      index.destroy();
    }
    index.create();
    list.insert(resource);
    node.registry().register(path, index);
  }

  /** What Hyracks' IndexDataflowHelper does. */
  private static void drop(NodeStorage node, String path) throws Exception {
    IIndex index = node.registry().get(path);
    node.registry().unregister(path);
    node.resources().delete(path);
    index.destroy();
  }

  private static void fill(NodeStorage node, String path) throws StorageException {
    try (KeyValueSession session = node.stores().pairs(path).openSession()) {
      for (int i = 0; i < RECORDS; i++) {
        byte[] bytes = (path + i).getBytes(StandardCharsets.UTF_8);
        session.put(new Slice(bytes), new Slice(bytes));
      }
    }
  }

  /** Makes, fills, drops and makes again; calls back after each step with the indexes there. */
  private void scenario(NodeStorage node, Map<String, KeyField> expected) throws Exception {
    for (String path : List.of("a", "b", "c")) {
      create(node, path, KeyField.INTEGER);
      expected.put(path, KeyField.INTEGER);
      fill(node, path);
      remember();
    }
    expected.remove("b");
    drop(node, "b");
    remember();
    create(node, "b", KeyField.STRING);
    expected.put("b", KeyField.STRING);
    fill(node, "b");
    remember();
    // An index in the place of one that is there.
    expected.remove("a");
    create(node, "a", KeyField.LONG);
    expected.put("a", KeyField.LONG);
    fill(node, "a");
    remember();
    expected.remove("c");
    drop(node, "c");
    remember();
  }

  private void remember() throws StorageException {
    if (!files.exists(LIST)) {
      return;
    }
    byte[] now = files.content(LIST);
    if (versions.isEmpty() || !Arrays.equals(versions.get(versions.size() - 1), now)) {
      versions.add(now);
    }
  }

  private void put(byte[] content) throws StorageException {
    if (files.exists(LIST)) {
      files.delete(LIST);
    }
    try (StorageFile file = files.open(LIST, OpenMode.CREATE_NEW)) {
      file.write(0, content, 0, content.length);
      file.force();
    }
    files.forceDirectory(LIST.getParent());
  }

  /** Checks that exactly these indexes are known, with their keys and all of their records. */
  private void check(Map<String, KeyField> expected) throws Exception {
    try (NodeStorage node = open()) {
      assertEquals(expected, keys(node));
      for (String path : expected.keySet()) {
        assertNotNull(node.registry().get(path));
        assertEquals(RECORDS, node.stores().pairs(path).verify().records());
      }
    }
  }

  private static Map<String, KeyField> keys(NodeStorage node) {
    Map<String, KeyField> keys = new HashMap<>();
    for (LocalResource resource : node.resources().all()) {
      keys.put(
          resource.getPath(), ((StoreResource) resource.getResource()).tuples().keyFields().get(0));
    }
    return keys;
  }

  @Test
  void noOlderCopyOfTheListLosesAnIndex() throws Exception {
    Map<String, KeyField> expected = new HashMap<>();
    // Between two calls of the file system the list may be what it never is between two steps.
    files.onOperation(
        operation -> {
          try {
            remember();
          } catch (StorageException impossible) {
            throw new AssertionError(impossible);
          }
        });
    try (NodeStorage node = open()) {
      scenario(node, expected);
    }
    files.onOperation(null);
    byte[] newest = files.content(LIST);
    MemoryFileSystem before = files;
    assertTrue(versions.size() > 12, versions.size() + " versions");
    List<byte[]> copies = new ArrayList<>(versions);
    copies.add(new byte[0]);
    copies.add(Arrays.copyOf(newest, newest.length / 2));
    copies.add(otherNodesList());
    int refused = 0;
    for (int i = 0; i <= copies.size(); i++) {
      files = before.crash(0, new SplittableRandom(i));
      if (i < copies.size()) {
        put(copies.get(i));
      } else {
        files.delete(LIST);
      }
      try (NodeStorage node = open()) {
        assertEquals(expected, keys(node), "version " + i + " was taken");
      } catch (CorruptionException refusal) {
        assertEquals(LIST.toString(), refusal.file());
        refused++;
      }
      put(newest);
      check(expected);
    }
    assertTrue(refused > 12, refused + " were refused");
  }

  private byte[] otherNodesList() throws Exception {
    MemoryFileSystem ours = files;
    files = new MemoryFileSystem();
    EngineSeams seams = seams(99);
    try (NodeStorage node = NodeStorage.open(EngineOptions.of(Path.of("/node/store")), seams)) {
      scenario(node, new HashMap<>());
    }
    byte[] content = files.content(LIST);
    files = ours;
    return content;
  }

  /** The other half: a list that is refused was never left by a crash. */
  @Test
  void noCrashLeavesAListThatIsRefused() throws Exception {
    long operations = operationsOfScenario();
    int crashes = 0;
    for (long at = 0; at < operations; at += 7) {
      files = newDisk();
      Map<String, KeyField> expected = new HashMap<>();
      files.crashAt(files.operationCount() + at);
      boolean crashed = false;
      try (NodeStorage node = open()) {
        scenario(node, expected);
      } catch (Exception | Error crash) {
        crashed = true;
        assertTrue(files.crashed(), () -> "no crash but " + crash);
      }
      crashes += crashed ? 1 : 0;
      files = files.crash(new SplittableRandom(at));
      try (NodeStorage node = open()) {
        for (String path : List.of("a", "b", "c")) {
          if (expected.containsKey(path)) {
            assertNotNull(node.resources().get(path), "crash at " + at + " lost " + path);
          }
          create(node, path, KeyField.BYTES);
          fill(node, path);
        }
      }
      check(Map.of("a", KeyField.BYTES, "b", KeyField.BYTES, "c", KeyField.BYTES));
    }
    assertTrue(crashes > 20, crashes + " crashes");
  }

  private long operationsOfScenario() throws Exception {
    try (NodeStorage node = open()) {
      scenario(node, new HashMap<>());
    }
    return files.operationCount();
  }

  /** Versions before this one listed an index after its store was made. */
  @Test
  void readsTheListOfAnOlderVersionAndKeepsWhatItLacks() throws Exception {
    try (NodeStorage node = open()) {
      create(node, "a", KeyField.INTEGER);
      fill(node, "a");
      node.stores().create("left", IndexShape.BTREE);
      fill(node, "left");
    }
    ObjectNode old = NodeFile.newDocument("varve-resources", 1).put("nextId", 5);
    ObjectNode entry = old.putArray("resources").addObject();
    entry.put("path", "a").put("id", 1).put("version", 7).put("fields", 2);
    entry.putArray("key").add("INTEGER");
    new NodeFile(files, LIST).write(old);
    try (NodeStorage node = open()) {
      assertEquals(List.of("left"), node.resources().orphans());
      assertEquals(5, node.resources().createId());
      create(node, "b", KeyField.LONG);
      fill(node, "b");
      HyracksDataException there =
          assertThrows(HyracksDataException.class, () -> create(node, "left", KeyField.INTEGER));
      assertTrue(there.matches(ErrorCode.CANNOT_CREATE_EXISTING_INDEX));
    }
    check(Map.of("a", KeyField.INTEGER, "b", KeyField.LONG));
    try (NodeStorage node = open()) {
      assertEquals(RECORDS, node.stores().pairs("left").verify().records(), "is kept for ever");
    }
  }

  /** Format 2 knew B+-trees only; each is one of format 3. */
  @Test
  void readsTheListOfTheVersionBeforeAndWritesIndexesOfAllShapes() throws Exception {
    try (NodeStorage node = open()) {
      create(node, "a", KeyField.INTEGER);
      fill(node, "a");
    }
    ObjectNode old =
        (ObjectNode) new NodeFile(files, LIST).read("varve-resources", 3).orElseThrow();
    old.put("format", 2);
    ((ObjectNode) old.path("resources").path(0)).remove("shape");
    new NodeFile(files, LIST).write(old);
    check(Map.of("a", KeyField.INTEGER));
    List<KeyField> shorts = List.of(KeyField.SHORT, KeyField.SHORT);
    try (NodeStorage node = open()) {
      for (IndexShape shape : List.of(IndexShape.RTREE, IndexShape.INVERTED)) {
        create(node, new StoreResource(shape.name(), new TupleDescription(shape, 2, shorts)));
      }
    }
    try (NodeStorage node = open()) {
      for (LocalResource resource : node.resources().all()) {
        StoreResource store = (StoreResource) resource.getResource();
        IndexShape expected =
            store.getPath().equals("a") ? IndexShape.BTREE : IndexShape.valueOf(store.getPath());
        assertEquals(expected, store.tuples().shape());
        IIndex index = node.registry().get(store.getPath());
        assertNotNull(index);
        node.registry().open(store.getPath());
        index.validate();
        node.registry().close(store.getPath());
      }
      assertEquals(3, node.resources().all().size());
      node.drop("hyracks/RTREE");
      assertNull(node.resources().get("RTREE"));
      assertNull(node.registry().get("RTREE"));
      assertEquals(List.of("INVERTED", "a"), node.stores().paths());
    }
  }

  @Test
  void refusesASecondOneAtAPathAndToDeleteWhatIsNotThere() throws Exception {
    try (NodeStorage node = open()) {
      create(node, "x", KeyField.LONG);
      LocalResource resource = node.resources().get("x");
      assertNotNull(resource);
      HyracksDataException twice =
          assertThrows(HyracksDataException.class, () -> node.resources().insert(resource));
      assertTrue(twice.matches(ErrorCode.CANNOT_CREATE_EXISTING_INDEX));
      HyracksDataException absent =
          assertThrows(HyracksDataException.class, () -> node.resources().delete("y"));
      assertTrue(absent.matches(ErrorCode.RESOURCE_DOES_NOT_EXIST));
      assertNull(node.resources().get("y"));
    }
  }

  /** Everything on one thread, so that a crash in the background reaches the test. */
  private EngineSeams seams(long seed) {
    ManualClock clock = new ManualClock();
    return new EngineSeams(
            files, clock, new SteppedExecutor(clock, seed), new SplittableRandom(seed))
        .withLimits(ProcessLimits.NONE);
  }
}
