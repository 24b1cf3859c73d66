package dev.varve.hyracks.adapter;

import java.util.Random;
import org.apache.hyracks.api.dataflow.value.ISerializerDeserializer;
import org.apache.hyracks.storage.am.common.api.IPrimitiveValueProviderFactory;
import org.apache.hyracks.storage.am.rtree.AbstractRTreeDeleteTest;
import org.apache.hyracks.storage.am.rtree.AbstractRTreeTestContext;
import org.apache.hyracks.storage.am.rtree.frames.RTreePolicyType;
import org.junit.After;

/** Hyracks' published suite for R-trees, Delete, on ours. */
public class StoreRTreeDeleteTest extends AbstractRTreeDeleteTest {
  private final StoreHarness harness = new StoreHarness();
  private final Random random = new Random(50);

  public StoreRTreeDeleteTest() {
    super(true);
  }

  @After
  public void close() {
    harness.close();
  }

  @Override
  @SuppressWarnings("rawtypes") // As the published class has it.
  protected AbstractRTreeTestContext createTestContext(
      ISerializerDeserializer[] fields,
      IPrimitiveValueProviderFactory[] unused,
      int corners,
      RTreePolicyType policy)
      throws Exception {
    return StoreRTreeTestContext.create(harness, fields, corners);
  }

  @Override
  protected Random getRandom() {
    return random;
  }
}
