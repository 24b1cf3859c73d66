package dev.varve.hyracks.adapter;

import org.apache.hyracks.api.dataflow.value.IBinaryComparatorFactory;
import org.apache.hyracks.api.dataflow.value.ITypeTraits;
import org.apache.hyracks.storage.am.common.api.IPrimitiveValueProviderFactory;
import org.apache.hyracks.storage.am.common.api.ITreeIndex;
import org.apache.hyracks.storage.am.rtree.AbstractRTreeExamplesTest;
import org.apache.hyracks.storage.am.rtree.frames.RTreePolicyType;
import org.junit.After;

/** Hyracks' published examples for R-trees, on ours. */
public class StoreRTreeExamplesTest extends AbstractRTreeExamplesTest {
  private final StoreHarness harness = new StoreHarness();

  @After
  public void close() {
    harness.close();
  }

  @Override
  protected ITreeIndex createTreeIndex(
      ITypeTraits[] fields,
      IBinaryComparatorFactory[] corners,
      IBinaryComparatorFactory[] identity,
      IPrimitiveValueProviderFactory[] values,
      RTreePolicyType policy,
      int[] rtreeFields,
      int[] btreeFields,
      ITypeTraits[] filterFields,
      IBinaryComparatorFactory[] filterComparators,
      int[] filterFieldNumbers) {
    return harness.newPlaces(fields.length, corners);
  }
}
