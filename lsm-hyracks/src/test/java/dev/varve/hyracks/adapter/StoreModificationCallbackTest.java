package dev.varve.hyracks.adapter;

import org.apache.hyracks.dataflow.common.utils.SerdeUtils;
import org.apache.hyracks.storage.am.btree.AbstractModificationOperationCallbackTest;
import org.junit.After;

/** Hyracks' published suite for what a writer's callback is told, on our index. */
public class StoreModificationCallbackTest extends AbstractModificationOperationCallbackTest {
  private final StoreHarness harness = new StoreHarness();

  @Override
  @After
  public void tearDown() throws Exception {
    super.tearDown();
    harness.close();
  }

  @Override
  protected void createIndexInstance() {
    index = harness.newIndex(1, SerdeUtils.serdesToComparatorFactories(keySerdes, 1));
  }
}
