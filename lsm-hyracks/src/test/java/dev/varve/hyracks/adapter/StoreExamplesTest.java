package dev.varve.hyracks.adapter;

import org.apache.hyracks.api.dataflow.value.IBinaryComparatorFactory;
import org.apache.hyracks.api.dataflow.value.ITypeTraits;
import org.apache.hyracks.storage.am.btree.OrderedIndexExamplesTest;
import org.apache.hyracks.storage.am.common.api.ITreeIndex;
import org.junit.After;

/** Hyracks' published examples for ordered indexes, on ours. */
public class StoreExamplesTest extends OrderedIndexExamplesTest {
  private final StoreHarness harness = new StoreHarness();

  @After
  public void close() {
    harness.close();
  }

  @Override
  protected ITreeIndex createTreeIndex(
      ITypeTraits[] fields,
      IBinaryComparatorFactory[] comparators,
      int[] bloomFilterFields,
      ITypeTraits[] filterFields,
      IBinaryComparatorFactory[] filterComparators,
      int[] btreeFields,
      int[] filterFieldNumbers) {
    return harness.newIndex(fields.length, comparators);
  }
}
