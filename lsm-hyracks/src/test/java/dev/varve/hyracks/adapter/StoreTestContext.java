package dev.varve.hyracks.adapter;

import org.apache.hyracks.api.dataflow.value.IBinaryComparatorFactory;
import org.apache.hyracks.api.dataflow.value.ISerializerDeserializer;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.dataflow.common.utils.SerdeUtils;
import org.apache.hyracks.storage.am.btree.OrderedIndexTestContext;

/** What Hyracks' published suites need to know of an index under test. */
@SuppressWarnings("rawtypes") // As the published class has it.
final class StoreTestContext extends OrderedIndexTestContext {
  private final IBinaryComparatorFactory[] comparators;

  private StoreTestContext(
      ISerializerDeserializer[] fields, StoreIndex index, IBinaryComparatorFactory[] comparators)
      throws HyracksDataException {
    super(fields, index, false);
    this.comparators = comparators;
  }

  static StoreTestContext create(StoreHarness harness, ISerializerDeserializer[] fields, int keys)
      throws HyracksDataException {
    IBinaryComparatorFactory[] comparators = SerdeUtils.serdesToComparatorFactories(fields, keys);
    return new StoreTestContext(fields, harness.newIndex(fields.length, comparators), comparators);
  }

  @Override
  public int getKeyFieldCount() {
    return comparators.length;
  }

  @Override
  public IBinaryComparatorFactory[] getComparatorFactories() {
    return comparators;
  }
}
