package dev.varve.hyracks.adapter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.apache.hyracks.api.dataflow.value.IBinaryComparatorFactory;
import org.apache.hyracks.api.exceptions.ErrorCode;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.data.std.accessors.IntegerBinaryComparatorFactory;
import org.apache.hyracks.data.std.primitive.IntegerPointable;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.apache.hyracks.dataflow.common.utils.TupleUtils;
import org.apache.hyracks.storage.am.btree.impls.RangePredicate;
import org.apache.hyracks.storage.am.common.impls.IndexAccessParameters;
import org.apache.hyracks.storage.am.common.impls.NoOpIndexAccessParameters;
import org.apache.hyracks.storage.am.common.impls.NoOpOperationCallback;
import org.apache.hyracks.storage.common.IIndexAccessor;
import org.apache.hyracks.storage.common.IIndexCursor;
import org.apache.hyracks.storage.common.ISearchOperationCallback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Goal: what the published suites leave open: absent keys, and what a search's callback hears. */
final class StoreAccessorTest {
  private final StoreHarness harness = new StoreHarness();
  private StoreIndex index;
  private IIndexAccessor accessor;

  @BeforeEach
  void create() throws Exception {
    index =
        harness.newIndex(
            2, new IBinaryComparatorFactory[] {IntegerBinaryComparatorFactory.INSTANCE});
    index.create();
    index.activate();
    accessor = index.createAccessor(NoOpIndexAccessParameters.INSTANCE);
    for (int key = 0; key < 5; key++) {
      accessor.insert(TupleUtils.createIntegerTuple(key, 10 * key));
    }
  }

  @AfterEach
  void close() {
    harness.close();
  }

  @Test
  void updatesAndDeletesOnlyWhatIsThere() throws Exception {
    ITupleReference absent = TupleUtils.createIntegerTuple(7, 70);
    for (int i = 0; i < 2; i++) {
      assertRefused(ErrorCode.UPDATE_OR_DELETE_NON_EXISTENT_KEY, () -> accessor.update(absent));
      assertRefused(ErrorCode.UPDATE_OR_DELETE_NON_EXISTENT_KEY, () -> accessor.delete(absent));
    }
    assertRefused(
        ErrorCode.DUPLICATE_KEY, () -> accessor.insert(TupleUtils.createIntegerTuple(3, 31)));
    accessor.update(TupleUtils.createIntegerTuple(4, 41));
    assertEquals(List.of("0=0", "1=10", "2=20", "3=30", "4=41"), scan(accessor));
  }

  @Test
  void aSearchThatHasToWaitTellsWhatBecameOfTheTuple() throws Exception {
    List<String> heard = new ArrayList<>();
    ISearchOperationCallback callback =
        new ISearchOperationCallback() {
          @Override
          public void before(ITupleReference tuple) {
            heard.add("before " + key(tuple));
          }

          @Override
          public boolean proceed(ITupleReference tuple) {
            return key(tuple) != 2 && key(tuple) != 4;
          }

          @Override
          public void reconcile(ITupleReference tuple) throws HyracksDataException {
            heard.add("reconcile " + key(tuple));
            if (key(tuple) == 2) {
              accessor.delete(tuple);
            } else {
              accessor.upsert(TupleUtils.createIntegerTuple(4, 42));
            }
          }

          @Override
          public void cancel(ITupleReference tuple) {
            heard.add("cancel " + key(tuple));
          }

          @Override
          public void complete(ITupleReference tuple) {
            heard.add("complete " + key(tuple));
          }
        };
    IIndexAccessor waiting =
        index.createAccessor(new IndexAccessParameters(NoOpOperationCallback.INSTANCE, callback));
    assertEquals(List.of("0=0", "1=10", "3=30", "4=42"), scan(waiting));
    assertEquals(List.of("reconcile 2", "cancel 2", "reconcile 4", "complete 4"), heard);
  }

  private interface Change {
    void run() throws HyracksDataException;
  }

  private static void assertRefused(ErrorCode code, Change change) {
    HyracksDataException refused = assertThrows(HyracksDataException.class, change::run);
    assertTrue(refused.matches(code), refused.getMessage());
  }

  private static List<String> scan(IIndexAccessor accessor) throws Exception {
    List<String> found = new ArrayList<>();
    IIndexCursor cursor = accessor.createSearchCursor(false);
    try {
      accessor.search(cursor, new RangePredicate(null, null, true, true, null, null));
      try {
        while (cursor.hasNext()) {
          cursor.next();
          ITupleReference tuple = cursor.getTuple();
          found.add(key(tuple) + "=" + field(tuple, 1));
        }
      } finally {
        cursor.close();
      }
    } finally {
      cursor.destroy();
    }
    return found;
  }

  private static int key(ITupleReference tuple) {
    return field(tuple, 0);
  }

  private static int field(ITupleReference tuple, int number) {
    return IntegerPointable.getInteger(tuple.getFieldData(number), tuple.getFieldStart(number));
  }
}
