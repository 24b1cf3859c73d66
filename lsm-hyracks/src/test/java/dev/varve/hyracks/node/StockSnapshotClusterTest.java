package dev.varve.hyracks.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.Dataset;
import dev.varve.dataset.EngineTransaction;
import dev.varve.dataset.KeyValueStore;
import dev.varve.dataset.StorageEngine;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.hyracks.adapter.BTreeResourceFactory;
import dev.varve.hyracks.adapter.InvertedIndexResourceFactory;
import dev.varve.hyracks.adapter.JobReads;
import dev.varve.hyracks.adapter.RTreeResourceFactory;
import dev.varve.hyracks.operator.ShapeJobs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hyracks.api.dataflow.IOperatorDescriptor;
import org.apache.hyracks.api.dataflow.value.IBinaryComparatorFactory;
import org.apache.hyracks.api.dataflow.value.ITypeTraits;
import org.apache.hyracks.api.job.JobId;
import org.apache.hyracks.api.job.JobSpecification;
import org.apache.hyracks.data.std.accessors.DoubleBinaryComparatorFactory;
import org.apache.hyracks.data.std.accessors.IntegerBinaryComparatorFactory;
import org.apache.hyracks.data.std.accessors.UTF8StringBinaryComparatorFactory;
import org.apache.hyracks.data.std.primitive.DoublePointable;
import org.apache.hyracks.data.std.primitive.IntegerPointable;
import org.apache.hyracks.storage.am.common.api.ISearchOperationCallbackFactory;
import org.apache.hyracks.storage.am.common.dataflow.TreeIndexInsertUpdateDeleteOperatorDescriptor;
import org.apache.hyracks.storage.am.common.impls.NoOpOperationCallbackFactory;
import org.apache.hyracks.storage.am.common.ophelpers.IndexOperation;
import org.apache.hyracks.storage.am.lsm.invertedindex.search.ConjunctiveSearchModifierFactory;
import org.apache.hyracks.util.string.UTF8StringUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: Hyracks' own searches of all kinds of index read the moment of their job, and it goes with
 * the job, however that ends. Method: three indexes hold the same places, which one transaction
 * takes away or brings back; each job searches all three, some of them only after such a change.
 */
final class StockSnapshotClusterTest {
  private static final int PLACES = 50;

  /** What a search finds of each width: pairs, boxes and keys. */
  private static final Map<Integer, Integer> ALL = Map.of(2, PLACES, 5, PLACES, 1, PLACES);

  private static final ISearchOperationCallbackFactory LIVE = NoOpOperationCallbackFactory.INSTANCE;

  @TempDir private Path directory;
  private NodeApplication node;
  private EmbeddedCluster cluster;
  private JobClient client;
  private StorageEngine engine;
  private final ShapeJobs pairs = new ShapeJobs("node-0", "moment/pairs");
  private final ShapeJobs boxes = new ShapeJobs("node-0", "moment/boxes");
  private final ShapeJobs words = new ShapeJobs("node-0", "moment/words");
  private KeyValueStore pairStore;
  private KeyValueStore wordStore;
  private Dataset boxStore;
  private final Map<Key, byte[]> rawPairs = new TreeMap<>();
  private final Map<Key, byte[]> rawWords = new TreeMap<>();
  private final Map<Key, byte[]> rawBoxes = new TreeMap<>();

  @BeforeEach
  void fill() throws Exception {
    EngineOptions options =
        EngineOptions.builder(directory.resolve("node-0").resolve("store"))
            .snapshotBytes(64 << 10)
            .build();
    node = new NodeApplication(options, Cluster.systemSeams());
    engine = node.open().engine();
    cluster = EmbeddedCluster.start(directory.resolve("controllers"), List.of(node));
    client = JobClient.connect(cluster.clientAddress());
    ITypeTraits[] reals = new ITypeTraits[5];
    IBinaryComparatorFactory[] corners = new IBinaryComparatorFactory[4];
    Arrays.fill(reals, DoublePointable.TYPE_TRAITS);
    Arrays.fill(corners, DoubleBinaryComparatorFactory.INSTANCE);
    IBinaryComparatorFactory[] byInteger = {IntegerBinaryComparatorFactory.INSTANCE};
    List<List<byte[]>> two = new ArrayList<>();
    List<List<byte[]>> five = new ArrayList<>();
    List<List<byte[]>> words = new ArrayList<>();
    for (int id = 0; id < PLACES; id++) {
      two.add(List.of(integer(id), integer(-id)));
      five.add(List.of(real(id), real(id), real(id + 0.5), real(id + 0.5), integer(id)));
      words.add(List.of(UTF8StringUtil.writeStringToBytes("red"), integer(id)));
    }
    ITypeTraits[] integers = {IntegerPointable.TYPE_TRAITS, IntegerPointable.TYPE_TRAITS};
    client.run(pairs.create(new BTreeResourceFactory(integers, byInteger)));
    insert(pairs, two);
    client.run(boxes.create(new RTreeResourceFactory(reals, corners)));
    insert(boxes, five);
    client.run(
        this.words.create(
            new InvertedIndexResourceFactory(
                new IBinaryComparatorFactory[] {UTF8StringBinaryComparatorFactory.INSTANCE},
                byInteger)));
    insert(this.words, words);
    pairStore = engine.keyValueStore("hyracks/moment/pairs");
    wordStore = engine.keyValueStore("hyracks/moment/words");
    boxStore = engine.dataset("hyracks/moment/boxes");
    keep(pairStore.scan(KeyRange.all()), rawPairs);
    keep(wordStore.scan(KeyRange.all()), rawWords);
    keep(boxStore.scan(KeyRange.all()), rawBoxes);
  }

  @AfterEach
  void stop() throws Exception {
    ShapeJobs.openGate();
    client.close();
    cluster.close();
    node.close();
  }

  private void insert(ShapeJobs jobs, List<List<byte[]>> tuples) throws Exception {
    int width = tuples.get(0).size();
    int[] all = new int[width];
    Arrays.setAll(all, field -> field);
    JobSpecification job = new JobSpecification();
    IOperatorDescriptor source = jobs.source(job, tuples, -1);
    client.run(
        jobs.chain(
            job,
            source,
            new TreeIndexInsertUpdateDeleteOperatorDescriptor(
                job,
                ShapeJobs.fields(width),
                all,
                IndexOperation.INSERT,
                jobs.index(),
                null,
                NoOpOperationCallbackFactory.INSTANCE)));
  }

  private static void keep(RecordCursor cursor, Map<Key, byte[]> raw) throws StorageException {
    try (cursor) {
      while (cursor.next()) {
        raw.put(Key.ofSlice(cursor.key()), cursor.value().toByteArray());
      }
    }
    assertEquals(PLACES, raw.size());
  }

  /** Takes all places out of the three indexes, or puts them there, in one transaction. */
  private void change(boolean there) throws StorageException {
    try (EngineTransaction all = engine.beginTransaction()) {
      for (Map.Entry<Key, byte[]> pair : rawPairs.entrySet()) {
        if (there) {
          all.of(pairStore).upsert(pair.getKey().toSlice(), new Slice(pair.getValue()));
        } else {
          all.of(pairStore).delete(pair.getKey().toSlice());
        }
      }
      for (Map.Entry<Key, byte[]> pair : rawWords.entrySet()) {
        if (there) {
          all.of(wordStore).upsert(pair.getKey().toSlice(), new Slice(pair.getValue()));
        } else {
          all.of(wordStore).delete(pair.getKey().toSlice());
        }
      }
      for (Map.Entry<Key, byte[]> box : rawBoxes.entrySet()) {
        if (there) {
          all.of(boxStore).upsert(box.getValue());
        } else {
          all.of(boxStore).delete(box.getKey());
        }
      }
      all.commit();
    }
  }

  private static byte[] integer(int value) {
    byte[] bytes = new byte[Integer.BYTES];
    IntegerPointable.setInteger(bytes, 0, value);
    return bytes;
  }

  private static byte[] real(double value) {
    byte[] bytes = new byte[Double.BYTES];
    DoublePointable.setDouble(bytes, 0, value);
    return bytes;
  }

  /** Searches all three indexes: the pairs at once, the others when the gate is open. */
  private JobSpecification searches(ISearchOperationCallbackFactory callbacks) {
    JobSpecification job = new JobSpecification();
    pairs.chain(
        job,
        pairs.heldSource(job, List.of(integer(0), integer(PLACES)), false),
        pairs.rangeSearch(job, 2, callbacks));
    boxes.chain(
        job,
        boxes.heldSource(job, List.of(real(0), real(0), real(PLACES), real(PLACES)), true),
        boxes.boxSearch(job, callbacks));
    words.chain(
        job,
        words.heldSource(job, List.of(UTF8StringUtil.writeStringToBytes("red")), true),
        words.wordSearch(job, new ConjunctiveSearchModifierFactory(), callbacks));
    return job;
  }

  /** How many tuples of each width have come out. */
  private static Map<Integer, Integer> found() {
    Map<Integer, Integer> found = new TreeMap<>();
    for (List<byte[]> tuple : ShapeJobs.cameOut()) {
      found.merge(tuple.size(), 1, Integer::sum);
    }
    return found;
  }

  private int open() throws StorageException {
    return engine.stats().memory().snapshots().size();
  }

  /** A node closes it behind the end of its part of the job; one that stays stops the test. */
  private void awaitClosed() throws StorageException {
    while (open() > 0) {
      Thread.onSpinWait();
    }
  }

  /** Starts a job whose first search has opened, and whose others have not. */
  private JobId startHeld() throws Exception {
    ShapeJobs.cameOut();
    ShapeJobs.closeGate();
    JobId job = client.start(searches(JobReads.OF_ONE_MOMENT));
    while (open() == 0) {
      Thread.onSpinWait();
    }
    return job;
  }

  @Test
  void searchesThatOpenLaterReadTheMomentOfTheFirst() throws Exception {
    JobId before = startHeld();
    change(false);
    ShapeJobs.openGate();
    client.await(before);
    assertEquals(ALL, found());
    awaitClosed();
    JobId empty = startHeld();
    change(true);
    ShapeJobs.openGate();
    client.await(empty);
    assertEquals(Map.of(), found());
    awaitClosed();
    // Those that are not told of their job read what is there by then, and open nothing.
    client.run(searches(LIVE));
    assertEquals(ALL, found());
  }

  @Test
  void searchesOfAllKindsAgreeBesideAWriter() throws Exception {
    AtomicBoolean ended = new AtomicBoolean();
    CompletableFuture<Integer> writer =
        CompletableFuture.supplyAsync(
            () -> {
              int changes = 0;
              try {
                for (; !ended.get(); changes++) {
                  change(changes % 2 != 0);
                }
              } catch (StorageException failure) {
                throw new IllegalStateException(failure);
              }
              return changes;
            });
    try {
      for (int i = 0; i < 40; i++) {
        ShapeJobs.cameOut();
        client.run(searches(JobReads.OF_ONE_MOMENT));
        Map<Integer, Integer> found = found();
        assertTrue(found.isEmpty() || found.equals(ALL), found::toString);
      }
    } finally {
      ended.set(true);
    }
    assertTrue(writer.join() > 1);
    awaitClosed();
  }

  @Test
  void aSearchWhoseSnapshotIsGivenUpSaysSo() throws Exception {
    KeyValueStore other =
        engine.createKeyValueStore("other", KeyValueOptions.DEFAULTS.withLargeValueBytes(0));
    putLargePairs(other);
    JobId job = startHeld();
    putLargePairs(other);
    ShapeJobs.openGate();
    ConflictException givenUp = assertThrows(ConflictException.class, () -> client.await(job));
    assertEquals(ConflictException.Reason.SNAPSHOT_GIVEN_UP, givenUp.reason());
    awaitClosed();
  }

  private static void putLargePairs(KeyValueStore store) throws StorageException {
    for (int id = 0; id < 50; id++) {
      store.put(integer(id), new byte[4 << 10]);
    }
  }

  @Test
  void itGoesWithAJobThatFailsOrIsCancelled() throws Exception {
    JobId cancelled = startHeld();
    client.cancel(cancelled);
    assertThrows(JobFailedException.class, () -> client.await(cancelled));
    awaitClosed();
    ShapeJobs.openGate();
    JobSpecification failing = searches(JobReads.OF_ONE_MOMENT);
    pairs.chain(
        failing,
        pairs.source(failing, List.of(List.of(integer(0), integer(9))), 0),
        pairs.rangeSearch(failing, 2, JobReads.OF_ONE_MOMENT));
    assertThrows(JobFailedException.class, () -> client.run(failing));
    awaitClosed();
  }
}
