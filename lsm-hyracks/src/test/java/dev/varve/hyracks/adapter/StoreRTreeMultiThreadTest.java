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
import org.apache.hyracks.storage.am.common.AbstractIndexTestWorker;
import org.apache.hyracks.storage.am.common.IIndexTestWorkerFactory;
import org.apache.hyracks.storage.am.common.TestOperationSelector;
import org.apache.hyracks.storage.am.common.TestOperationSelector.TestOperation;
import org.apache.hyracks.storage.am.common.TestWorkloadConf;
import org.apache.hyracks.storage.am.common.api.IPrimitiveValueProviderFactory;
import org.apache.hyracks.storage.am.common.api.ITreeIndex;
import org.apache.hyracks.storage.am.common.datagen.DataGenThread;
import org.apache.hyracks.storage.am.common.datagen.ProbabilityHelper;
import org.apache.hyracks.storage.am.rtree.AbstractRTreeExamplesTest.RTreeType;
import org.apache.hyracks.storage.am.rtree.AbstractRTreeMultiThreadTest;
import org.apache.hyracks.storage.am.rtree.frames.RTreePolicyType;
import org.apache.hyracks.storage.am.rtree.impls.SearchPredicate;
import org.apache.hyracks.storage.common.IIndex;
import org.apache.hyracks.storage.common.IIndexCursor;

/**
 * Hyracks' published multi-thread suite for R-trees on ours. The published workers print what goes
 * wrong and end; ours keep it, and the test fails with it. A tuple generator knows of no corners:
 * where it gives a box whose low corner is above its high one, the refusal is the answer.
 */
public class StoreRTreeMultiThreadTest extends AbstractRTreeMultiThreadTest {
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private StoreHarness harness;

  public StoreRTreeMultiThreadTest() {
    super(true, RTreeType.LSMRTREE);
  }

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
  protected ITreeIndex createTreeIndex(
      ITypeTraits[] fields,
      IBinaryComparatorFactory[] corners,
      IBinaryComparatorFactory[] identity,
      IPrimitiveValueProviderFactory[] values,
      RTreePolicyType policy,
      int[] btreeFields) {
    return harness.newPlaces(fields.length, corners);
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
            List.of(TestOperation.INSERT, TestOperation.DELETE),
            List.of(
                TestOperation.INSERT,
                TestOperation.DELETE,
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
    return "varve rtree";
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
        if (!failure.matches(ErrorCode.DUPLICATE_KEY)
            && !failure.matches(ErrorCode.UPDATE_OR_DELETE_NON_EXISTENT_KEY)
            && !String.valueOf(failure.getMessage()).contains("no rectangle")) {
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
        case RANGE_SEARCH -> search(new SearchPredicate(tuple, null));
        case SCAN -> search(new SearchPredicate(null, null));
        case UPDATE, UPSERT, POINT_SEARCH, DISKORDER_SCAN, MERGE ->
            throw new IllegalArgumentException("not an operation of ours: " + operation);
      }
    }

    private void search(SearchPredicate predicate) throws HyracksDataException {
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
