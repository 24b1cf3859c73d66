package dev.varve.hyracks.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.dataset.StorageEngine;
import dev.varve.hyracks.adapter.BTreeResourceFactory;
import dev.varve.hyracks.adapter.InvertedIndexResourceFactory;
import dev.varve.hyracks.adapter.JobWrites;
import dev.varve.hyracks.adapter.RTreeResourceFactory;
import dev.varve.hyracks.adapter.WriteGrouping;
import dev.varve.hyracks.operator.ShapeJobs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hyracks.api.constraints.PartitionConstraintHelper;
import org.apache.hyracks.api.dataflow.IOperatorDescriptor;
import org.apache.hyracks.api.dataflow.value.IBinaryComparatorFactory;
import org.apache.hyracks.api.dataflow.value.IMissingWriter;
import org.apache.hyracks.api.dataflow.value.IMissingWriterFactory;
import org.apache.hyracks.api.dataflow.value.ITypeTraits;
import org.apache.hyracks.api.job.JobSpecification;
import org.apache.hyracks.data.std.accessors.DoubleBinaryComparatorFactory;
import org.apache.hyracks.data.std.accessors.IntegerBinaryComparatorFactory;
import org.apache.hyracks.data.std.accessors.UTF8StringBinaryComparatorFactory;
import org.apache.hyracks.data.std.primitive.DoublePointable;
import org.apache.hyracks.data.std.primitive.IntegerPointable;
import org.apache.hyracks.storage.am.common.api.IModificationOperationCallbackFactory;
import org.apache.hyracks.storage.am.common.dataflow.IndexDropOperatorDescriptor;
import org.apache.hyracks.storage.am.common.dataflow.TreeIndexInsertUpdateDeleteOperatorDescriptor;
import org.apache.hyracks.storage.am.common.impls.NoOpOperationCallbackFactory;
import org.apache.hyracks.storage.am.common.ophelpers.IndexOperation;
import org.apache.hyracks.storage.am.lsm.invertedindex.api.IInvertedIndexSearchModifierFactory;
import org.apache.hyracks.storage.am.lsm.invertedindex.dataflow.BinaryTokenizerOperatorDescriptor;
import org.apache.hyracks.storage.am.lsm.invertedindex.fulltext.FullTextConfigEvaluatorFactory;
import org.apache.hyracks.storage.am.lsm.invertedindex.search.ConjunctiveSearchModifierFactory;
import org.apache.hyracks.storage.am.lsm.invertedindex.search.DisjunctiveSearchModifierFactory;
import org.apache.hyracks.storage.am.lsm.invertedindex.search.JaccardSearchModifierFactory;
import org.apache.hyracks.util.string.UTF8StringUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: Hyracks' own operators drive R-trees and inverted indexes of ours, and what they write is
 * acknowledged by the frame or by the job. Method: jobs of stock descriptors on the second of two
 * nodes, whose engine takes only keys of its own.
 */
final class StockShapesClusterTest {
  /** The stock tokenizer wants one, even where no field is missing. */
  private static final class Missing implements IMissingWriterFactory {
    private static final long serialVersionUID = 1L;

    @Override
    public IMissingWriter createMissingWriter() {
      return out -> {
        throw new IllegalStateException("no field is missing");
      };
    }
  }

  @TempDir private Path directory;
  private Cluster cluster;

  @BeforeEach
  void start() throws Exception {
    cluster = Cluster.start(ClusterOptions.of(directory, new ClusterShape(2, 3)));
  }

  @AfterEach
  void stop() throws Exception {
    cluster.close();
  }

  private void restart() throws Exception {
    cluster.close();
    start();
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

  private Set<Integer> ids(JobSpecification job, int field) throws Exception {
    ShapeJobs.cameOut();
    cluster.run(job);
    Set<Integer> ids = new TreeSet<>();
    for (List<byte[]> tuple : ShapeJobs.cameOut()) {
      assertTrue(ids.add(IntegerPointable.getInteger(tuple.get(field), 0)));
    }
    return ids;
  }

  private static IOperatorDescriptor write(
      JobSpecification job,
      ShapeJobs jobs,
      int fields,
      IModificationOperationCallbackFactory callbacks) {
    int[] all = new int[fields];
    for (int i = 0; i < fields; i++) {
      all[i] = i;
    }
    return new TreeIndexInsertUpdateDeleteOperatorDescriptor(
        job, ShapeJobs.fields(fields), all, IndexOperation.INSERT, jobs.index(), null, callbacks);
  }

  @Test
  void rTreesAreMadeFilledSearchedAndDropped() throws Exception {
    ShapeJobs jobs = new ShapeJobs("node-1", "shapes/places");
    ITypeTraits[] types = new ITypeTraits[5];
    IBinaryComparatorFactory[] corners = new IBinaryComparatorFactory[4];
    Arrays.fill(types, DoublePointable.TYPE_TRAITS);
    Arrays.fill(corners, DoubleBinaryComparatorFactory.INSTANCE);
    cluster.run(jobs.create(new RTreeResourceFactory(types, corners)));
    List<List<byte[]>> places = new ArrayList<>();
    for (int id = 0; id < 1000; id++) {
      int x = id % 40;
      int y = id / 40;
      places.add(List.of(real(x), real(y), real(x + 0.5), real(y + 0.5), integer(id)));
    }
    JobSpecification fill = new JobSpecification();
    IOperatorDescriptor source = jobs.source(fill, places, -1);
    JobWrites writes = JobWrites.of(fill, WriteGrouping.FRAME);
    cluster.run(jobs.chain(fill, source, write(fill, jobs, 5, writes)));
    restart();
    Set<Integer> expected = new TreeSet<>();
    for (int id = 0; id < 1000; id++) {
      if (id % 40 >= 10 && id % 40 <= 12 && id / 40 >= 3 && id / 40 <= 4) {
        expected.add(id);
      }
    }
    assertEquals(expected, ids(boxSearch(jobs, 10, 3, 12.2, 4.1), 4));
    assertEquals(List.of("hyracks/shapes/places"), cluster.engines().get(1).names());
    JobSpecification drop = new JobSpecification();
    IndexDropOperatorDescriptor gone = new IndexDropOperatorDescriptor(drop, jobs.index());
    PartitionConstraintHelper.addAbsoluteLocationConstraint(drop, gone, "node-1");
    drop.addRoot(gone);
    cluster.run(drop);
    assertEquals(List.of(), cluster.engines().get(1).names());
  }

  private static JobSpecification boxSearch(
      ShapeJobs jobs, double minX, double minY, double maxX, double maxY) {
    JobSpecification job = new JobSpecification();
    IOperatorDescriptor box =
        jobs.source(job, List.of(List.of(real(minX), real(minY), real(maxX), real(maxY))), -1);
    return jobs.chain(job, box, jobs.boxSearch(job, NoOpOperationCallbackFactory.INSTANCE));
  }

  @Test
  void invertedIndexesAreFilledByTheStockTokenizerAndSearchedByTheStockOperator() throws Exception {
    ShapeJobs jobs = new ShapeJobs("node-1", "shapes/words");
    cluster.run(
        jobs.create(
            new InvertedIndexResourceFactory(
                new IBinaryComparatorFactory[] {UTF8StringBinaryComparatorFactory.INSTANCE},
                new IBinaryComparatorFactory[] {IntegerBinaryComparatorFactory.INSTANCE})));
    String[] texts = {"red apple", "green apple", "red pear", "green pear tree", "apple tree red"};
    List<List<byte[]>> documents = new ArrayList<>();
    for (int id = 0; id < texts.length; id++) {
      documents.add(List.of(UTF8StringUtil.writeStringToBytes(texts[id]), integer(id)));
    }
    JobSpecification fill = new JobSpecification();
    IOperatorDescriptor source = jobs.source(fill, documents, -1);
    BinaryTokenizerOperatorDescriptor tokens =
        new BinaryTokenizerOperatorDescriptor(
            fill,
            ShapeJobs.fields(2),
            ShapeJobs.WORDS,
            FullTextConfigEvaluatorFactory.getDefaultFactory(),
            0,
            new int[] {1},
            false,
            false,
            false,
            new Missing());
    cluster.run(
        jobs.chain(
            fill, source, tokens, write(fill, jobs, 2, NoOpOperationCallbackFactory.INSTANCE)));
    assertEquals(Set.of(0, 4), words(jobs, "apple red", new ConjunctiveSearchModifierFactory()));
    assertEquals(
        Set.of(0, 2, 3, 4), words(jobs, "red tree", new DisjunctiveSearchModifierFactory()));
    assertEquals(Set.of(0, 2, 4), words(jobs, "red", new JaccardSearchModifierFactory(0.5f)));
    assertEquals(Set.of(), words(jobs, "blue", new ConjunctiveSearchModifierFactory()));
  }

  private Set<Integer> words(
      ShapeJobs jobs, String query, IInvertedIndexSearchModifierFactory modifier) throws Exception {
    JobSpecification job = new JobSpecification();
    IOperatorDescriptor text =
        jobs.source(job, List.of(List.of(UTF8StringUtil.writeStringToBytes(query))), -1);
    IOperatorDescriptor search =
        jobs.wordSearch(job, modifier, NoOpOperationCallbackFactory.INSTANCE);
    return ids(jobs.chain(job, text, search), 0);
  }

  private static ShapeJobs numbers() {
    return new ShapeJobs("node-0", "shapes/numbers");
  }

  private void createNumbers(ShapeJobs jobs) throws Exception {
    ITypeTraits[] types = {IntegerPointable.TYPE_TRAITS, IntegerPointable.TYPE_TRAITS};
    cluster.run(
        jobs.create(
            new BTreeResourceFactory(
                types, new IBinaryComparatorFactory[] {IntegerBinaryComparatorFactory.INSTANCE})));
  }

  private static List<List<byte[]>> pairs(int count) {
    List<List<byte[]>> pairs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      pairs.add(List.of(integer(i), integer(-i)));
    }
    return pairs;
  }

  private static JobSpecification all(ShapeJobs jobs) {
    JobSpecification job = new JobSpecification();
    IOperatorDescriptor bounds =
        jobs.source(job, List.of(List.of(integer(0), integer(Integer.MAX_VALUE))), -1);
    return jobs.chain(job, bounds, jobs.rangeSearch(job, 2, NoOpOperationCallbackFactory.INSTANCE));
  }

  private void fill(ShapeJobs jobs, WriteGrouping grouping, int failAt) throws Exception {
    JobSpecification job = new JobSpecification();
    IOperatorDescriptor source = jobs.source(job, pairs(20_000), failAt);
    JobWrites writes = JobWrites.of(job, grouping);
    cluster.run(jobs.chain(job, source, write(job, jobs, 2, writes)));
  }

  @Test
  void aFrameOfTuplesIsForcedOnce() throws Exception {
    ShapeJobs jobs = numbers();
    createNumbers(jobs);
    StorageEngine engine = cluster.engines().get(0);
    long before = engine.stats().log().forces();
    fill(jobs, WriteGrouping.FRAME, -1);
    long forces = engine.stats().log().forces() - before;
    // A tuple takes 20 bytes of a frame of 32 KiB: 13 frames, and some forces of the engine's own.
    assertTrue(forces >= 10 && forces <= 60, forces + " forces");
    assertEquals(20_000, ids(all(jobs), 0).size());
  }

  @Test
  void aJobWritesAllOfItsTuplesOrNone() throws Exception {
    ShapeJobs jobs = numbers();
    createNumbers(jobs);
    assertThrows(JobFailedException.class, () -> fill(jobs, WriteGrouping.JOB, 19_999));
    assertEquals(Set.of(), ids(all(jobs), 0));
    fill(jobs, WriteGrouping.JOB, -1);
    restart();
    assertEquals(20_000, ids(all(jobs), 0).size());
  }

  @Test
  void whatAFailedJobHadWrittenByTheFrameStays() throws Exception {
    ShapeJobs jobs = numbers();
    createNumbers(jobs);
    assertThrows(JobFailedException.class, () -> fill(jobs, WriteGrouping.FRAME, 19_999));
    int stayed = ids(all(jobs), 0).size();
    assertTrue(stayed > 10_000 && stayed < 20_000, stayed + " stayed");
    fill(jobs, WriteGrouping.FRAME, -1);
    assertEquals(20_000, ids(all(jobs), 0).size());
  }
}
