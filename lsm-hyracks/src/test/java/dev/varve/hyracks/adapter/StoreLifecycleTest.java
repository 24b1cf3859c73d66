package dev.varve.hyracks.adapter;

import static org.junit.Assert.assertEquals;

import java.util.TreeSet;
import org.apache.hyracks.api.dataflow.value.ISerializerDeserializer;
import org.apache.hyracks.dataflow.common.data.marshalling.IntegerSerializerDeserializer;
import org.apache.hyracks.storage.am.btree.OrderedIndexTestContext;
import org.apache.hyracks.storage.am.btree.OrderedIndexTestUtils;
import org.apache.hyracks.storage.am.btree.impls.RangePredicate;
import org.apache.hyracks.storage.am.common.AbstractIndexLifecycleTest;
import org.apache.hyracks.storage.am.common.CheckTuple;
import org.apache.hyracks.storage.common.IIndexCursor;
import org.junit.After;
import org.junit.Before;

/** Hyracks' published suite for an index's life cycle, on ours. */
@SuppressWarnings({"rawtypes", "unchecked"}) // As the published classes have it.
public class StoreLifecycleTest extends AbstractIndexLifecycleTest {
  private static final ISerializerDeserializer[] FIELDS = {
    IntegerSerializerDeserializer.INSTANCE, IntegerSerializerDeserializer.INSTANCE
  };

  private final StoreHarness harness = new StoreHarness();
  private final OrderedIndexTestUtils utilities = new OrderedIndexTestUtils();
  private OrderedIndexTestContext context;
  private StoreIndex store;

  @Override
  @Before
  public void setup() throws Exception {
    context = StoreTestContext.create(harness, FIELDS, 1);
    store = (StoreIndex) context.getIndex();
    index = store;
  }

  @Override
  @After
  public void tearDown() {
    harness.close();
  }

  @Override
  protected boolean persistentStateExists() throws Exception {
    return store.exists();
  }

  @Override
  protected boolean isEmptyIndex() throws Exception {
    IIndexCursor cursor = context.getIndexAccessor().createSearchCursor(false);
    try {
      context
          .getIndexAccessor()
          .search(cursor, new RangePredicate(null, null, true, true, null, null));
      try {
        return !cursor.hasNext();
      } finally {
        cursor.close();
      }
    } finally {
      cursor.destroy();
    }
  }

  @Override
  protected void performInsertions() throws Exception {
    TreeSet<CheckTuple> tuples = new TreeSet<>();
    for (int key = 0; key < 100; key++) {
      CheckTuple tuple = new CheckTuple(2, 1);
      tuple.appendField(key);
      tuple.appendField(3 * key);
      tuples.add(tuple);
    }
    OrderedIndexTestUtils.insertCheckTuples(context, tuples);
    context.getCheckTuples().addAll(tuples);
    assertEquals(100, context.getCheckTuples().size());
  }

  @Override
  protected void checkInsertions() throws Exception {
    utilities.checkScan(context);
    utilities.checkPointSearches(context);
  }

  @Override
  protected void clearCheckableInsertions() {
    context.getCheckTuples().clear();
  }
}
