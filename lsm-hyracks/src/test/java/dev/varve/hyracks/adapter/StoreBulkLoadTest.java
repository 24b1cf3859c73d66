package dev.varve.hyracks.adapter;

import java.util.Random;
import org.apache.hyracks.api.dataflow.value.ISerializerDeserializer;
import org.apache.hyracks.storage.am.btree.OrderedIndexBulkLoadTest;
import org.apache.hyracks.storage.am.btree.OrderedIndexTestContext;
import org.apache.hyracks.storage.am.btree.frames.BTreeLeafFrameType;
import org.junit.After;

/** Hyracks' published suite for ordered indexes, BulkLoad, on ours. */
public class StoreBulkLoadTest extends OrderedIndexBulkLoadTest {
  /** One: a bulk load is refused where there are entries. */
  private static final int ROUNDS = 1;

  private final StoreHarness harness = new StoreHarness();
  private final Random random = new Random(50);

  public StoreBulkLoadTest() {
    super(new BTreeLeafFrameType[] {BTreeLeafFrameType.REGULAR_NSM}, ROUNDS);
  }

  @After
  public void close() {
    harness.close();
  }

  @Override
  @SuppressWarnings("rawtypes") // As the published class has it.
  protected OrderedIndexTestContext createTestContext(
      ISerializerDeserializer[] fields, int keys, BTreeLeafFrameType unused, boolean filtered)
      throws Exception {
    return StoreTestContext.create(harness, fields, keys);
  }

  @Override
  protected Random getRandom() {
    return random;
  }
}
