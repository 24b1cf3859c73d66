package dev.varve.hyracks.operator;

import dev.varve.common.bytes.KeyEncoder;
import dev.varve.common.bytes.Slice;
import org.apache.hyracks.api.context.IHyracksTaskContext;
import org.apache.hyracks.api.dataflow.value.RecordDescriptor;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.api.job.IOperatorDescriptorRegistry;
import org.apache.hyracks.dataflow.common.comm.io.FrameTupleAccessor;
import org.apache.hyracks.dataflow.common.data.accessors.PermutingFrameTupleReference;
import org.apache.hyracks.storage.am.common.api.IIndexDataflowHelper;
import org.apache.hyracks.storage.am.common.dataflow.IIndexDataflowHelperFactory;
import org.apache.hyracks.storage.common.IIndexBulkLoader;
import org.apache.hyracks.storage.common.buffercache.NoOpPageWriteCallback;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Bulk-loads an empty index from tuples in ascending order of their keys; takes the place of
 * Hyracks' own load, which publishes what a failed one has left. Sends one tuple a partition: the
 * number of tuples loaded.
 */
public final class IndexLoad extends TwoPhaseLoad {
  private static final long serialVersionUID = 1L;

  private static final Logger LOGGER = LogManager.getLogger();

  private final IIndexDataflowHelperFactory index;
  private final int[] fields;

  /**
   * Loads into an index.
   *
   * @param input what the tuples look like that come in
   * @param index finds the index on each node
   * @param fields which fields of a tuple go into the index, the key's first
   */
  public IndexLoad(
      IOperatorDescriptorRegistry job,
      RecordDescriptor input,
      IIndexDataflowHelperFactory index,
      int[] fields) {
    super(job, input);
    this.index = index;
    this.fields = fields.clone();
  }

  @Override
  Loading start(IHyracksTaskContext task, int partition) throws HyracksDataException {
    IIndexDataflowHelper helper =
        index.create(task.getJobletContext().getServiceContext(), partition);
    helper.open();
    IIndexBulkLoader loader = null;
    try {
      loader =
          helper
              .getIndexInstance()
              .createBulkLoader(1, true, 0, true, NoOpPageWriteCallback.INSTANCE);
      return new IndexLoading(helper, loader, fields);
    } finally {
      if (loader == null) {
        helper.close();
      }
    }
  }

  private static final class IndexLoading implements Loading {
    private final IIndexDataflowHelper helper;
    private final IIndexBulkLoader loader;
    private final PermutingFrameTupleReference tuples = new PermutingFrameTupleReference();
    private long loaded;

    IndexLoading(IIndexDataflowHelper helper, IIndexBulkLoader loader, int[] fields) {
      this.helper = helper;
      this.loader = loader;
      tuples.setFieldPermutation(fields);
    }

    @Override
    public void add(FrameTupleAccessor frame, int tuple) throws HyracksDataException {
      tuples.reset(frame, tuple);
      loader.add(tuples);
      loaded++;
    }

    @Override
    public Slice publish() throws HyracksDataException {
      loader.end();
      return new KeyEncoder().addLong(loaded).toSlice();
    }

    @Override
    public void end() {
      try {
        try {
          loader.abort();
        } finally {
          helper.close();
        }
      } catch (HyracksDataException failure) {
        // The job has ended, and there is no operator left to be told.
        LOGGER.warn("a bulk load could not give back what it held", failure);
      }
    }
  }
}
