package dev.varve.hyracks.adapter;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hyracks.api.dataflow.value.IBinaryComparatorFactory;
import org.apache.hyracks.api.dataflow.value.ITypeTraits;
import org.apache.hyracks.api.exceptions.ErrorCode;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.apache.hyracks.storage.am.btree.OrderedIndexMultiThreadTest;
import org.apache.hyracks.storage.am.btree.impls.RangePredicate;
import org.apache.hyracks.storage.am.common.AbstractIndexTestWorker;
import org.apache.hyracks.storage.am.common.IIndexTestWorkerFactory;
import org.apache.hyracks.storage.am.common.TestOperationSelector;
import org.apache.hyracks.storage.am.common.TestOperationSelector.TestOperation;
import org.apache.hyracks.storage.am.common.TestWorkloadConf;
import org.apache.hyracks.storage.am.common.datagen.DataGenThread;
import org.apache.hyracks.storage.am.common.datagen.ProbabilityHelper;
import org.apache.hyracks.storage.common.IIndex;
import org.apache.hyracks.storage.common.IIndexCursor;

/**
 * Hyracks' published multi-thread suite on our index. The published workers print what goes wrong
 * and end; ours keep it, and the test fails with it.
 */
public class StoreMultiThreadTest extends OrderedIndexMultiThreadTest {
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private StoreHarness harness;

  @Override
  protected void setUp() {
    harness = new StoreHarness();
  }

  @Override
  protected void tearDown() {
    harness.close();
    Throwable first = failures.poll();
    if (first != null) {
      AssertionError error = new AssertionError("a worker failed", first);
      failures.forEach(error::addSuppressed);
      throw error;
    }
  }

  @Override
  protected IIndex createIndex(
      ITypeTraits[] fields, IBinaryComparatorFactory[] comparators, int[] bloomFilterFields) {
    return harness.newIndex(fields.length, comparators);
  }

  @Override
  protected IIndexTestWorkerFactory getWorkerFactory() {
    return (tuples, operations, index, batches) ->
        new Recording(new Work(tuples, operations, index, batches));
  }

  @Override
  @SuppressWarnings("NonApiType") // As the published class has it.
  protected ArrayList<TestWorkloadConf> getTestWorkloadConf() {
    List<List<TestOperation>> mixes =
        List.of(
            List.of(TestOperation.INSERT),
            List.of(TestOperation.INSERT, TestOperation.SCAN),
            List.of(TestOperation.INSERT, TestOperation.DELETE),
            List.of(TestOperation.INSERT, TestOperation.DELETE, TestOperation.UPDATE),
            List.of(
                TestOperation.INSERT,
                TestOperation.DELETE,
                TestOperation.UPDATE,
                TestOperation.UPSERT,
                TestOperation.POINT_SEARCH,
                TestOperation.RANGE_SEARCH,
                TestOperation.SCAN));
    ArrayList<TestWorkloadConf> workloads = new ArrayList<>();
    for (List<TestOperation> mix : mixes) {
      workloads.add(
          new TestWorkloadConf(
              mix.toArray(TestOperation[]::new), ProbabilityHelper.getUniformProbDist(mix.size())));
    }
    return workloads;
  }

  @Override
  protected String getIndexTypeName() {
    return "varve btree";
  }

  /** What a worker of the published suite is made with. */
  private record Work(
      DataGenThread tuples, TestOperationSelector operations, IIndex index, int batches) {}

  private final class Recording extends AbstractIndexTestWorker {
    private Recording(Work work) throws HyracksDataException {
      super(work.tuples(), work.operations(), work.index(), work.batches());
    }

    @Override
    public void performOp(ITupleReference tuple, TestOperation operation) {
      try {
        perform(tuple, operation);
      } catch (HyracksDataException failure) {
        // Threads insert and delete each other's keys; these two are answers, not failures.
        if (!failure.matches(ErrorCode.DUPLICATE_KEY)
            && !failure.matches(ErrorCode.UPDATE_OR_DELETE_NON_EXISTENT_KEY)) {
          failures.add(failure);
        }
      } catch (RuntimeException | AssertionError failure) {
        failures.add(failure);
      }
    }

    private void perform(ITupleReference tuple, TestOperation operation)
        throws HyracksDataException {
      switch (operation) {
        case INSERT -> indexAccessor.insert(tuple);
        case DELETE -> indexAccessor.delete(tuple);
        case UPDATE -> indexAccessor.update(tuple);
        case UPSERT -> indexAccessor.upsert(tuple);
        case POINT_SEARCH -> search(new RangePredicate(tuple, tuple, true, true, null, null));
        case RANGE_SEARCH -> search(new RangePredicate(tuple, null, true, true, null, null));
        case SCAN -> search(new RangePredicate(null, null, true, true, null, null));
        case DISKORDER_SCAN, MERGE ->
            throw new IllegalArgumentException("not an operation of ours: " + operation);
      }
    }

    private void search(RangePredicate predicate) throws HyracksDataException {
      IIndexCursor cursor = indexAccessor.createSearchCursor(false);
      try {
        indexAccessor.search(cursor, predicate);
        try {
          consumeCursorTuples(cursor);
        } finally {
          cursor.close();
        }
      } finally {
        cursor.destroy();
      }
    }
  }
}
