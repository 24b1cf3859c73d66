package dev.varve.hyracks.operator;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.RecordLoader;
import dev.varve.dataset.model.PartitionTable;
import dev.varve.hyracks.adapter.NodeStorage;
import dev.varve.hyracks.feed.PartitionCounters;
import org.apache.hyracks.api.context.IHyracksTaskContext;
import org.apache.hyracks.api.job.IOperatorDescriptorRegistry;
import org.apache.hyracks.dataflow.common.comm.io.FrameTupleAccessor;

/**
 * Bulk-loads the partitions of an empty dataset from records in ascending order of their keys; all
 * of them or none. Sends each partition's counts, a {@link FeedReport}.
 */
final class DatasetLoad extends TwoPhaseLoad {
  private static final long serialVersionUID = 1L;

  private final String dataset;
  private final PartitionTable routing;
  private final long feed;

  DatasetLoad(IOperatorDescriptorRegistry job, String dataset, PartitionTable routing, long feed) {
    super(job, RecordTuples.descriptor());
    this.dataset = dataset;
    this.routing = routing;
    this.feed = feed;
  }

  @Override
  @SuppressWarnings("MustBeClosedChecker") // Closed by end().
  Loading start(IHyracksTaskContext task, int partition) throws StorageException {
    NodeStorage node = NodeStorage.of(task);
    RecordLoader loader =
        node.engine().dataset(dataset).partition(routing.localOf(partition)).bulkLoad();
    PartitionCounters counters = node.feeds().counters(feed, partition);
    return new Loading() {
      private final Slice record = new Slice();

      @Override
      public void add(FrameTupleAccessor frame, int tuple) throws StorageException {
        loader.add(RecordTuples.view(frame, tuple, RecordTuples.RECORD_FIELD, record));
      }

      @Override
      public Slice publish() throws StorageException {
        counters.acknowledge(loader.finish(), PartitionCounters.NO_KEY);
        return FeedReport.encode(counters.progress(partition));
      }

      @Override
      public void end() {
        loader.close();
      }
    };
  }
}
