package dev.varve.hyracks.adapter;

import org.apache.hyracks.api.dataflow.value.IBinaryComparatorFactory;
import org.apache.hyracks.api.dataflow.value.ISerializerDeserializer;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.dataflow.common.utils.SerdeUtils;
import org.apache.hyracks.storage.am.rtree.AbstractRTreeTestContext;

/** What Hyracks' published suites need to know of an R-tree under test. */
@SuppressWarnings("rawtypes") // As the published class has it.
final class StoreRTreeTestContext extends AbstractRTreeTestContext {
  private final IBinaryComparatorFactory[] corners;

  private StoreRTreeTestContext(
      ISerializerDeserializer[] fields, StoreIndex index, IBinaryComparatorFactory[] corners)
      throws HyracksDataException {
    super(fields, index);
    this.corners = corners;
  }

  static StoreRTreeTestContext create(
      StoreHarness harness, ISerializerDeserializer[] fields, int corners)
      throws HyracksDataException {
    IBinaryComparatorFactory[] comparators =
        SerdeUtils.serdesToComparatorFactories(fields, corners);
    return new StoreRTreeTestContext(
        fields, harness.newPlaces(fields.length, comparators), comparators);
  }

  @Override
  public int getKeyFieldCount() {
    return corners.length;
  }

  @Override
  public IBinaryComparatorFactory[] getComparatorFactories() {
    return corners;
  }
}
