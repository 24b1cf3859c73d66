package dev.varve.hyracks.operator;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.KeyEncoder;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.Dataset;
import dev.varve.dataset.DatasetStats;
import dev.varve.hyracks.adapter.NodeStorage;
import dev.varve.hyracks.feed.FeedLedger;
import dev.varve.hyracks.feed.FeedName;
import dev.varve.hyracks.feed.FeedPosition;
import dev.varve.hyracks.feed.FeedReject;
import dev.varve.hyracks.feed.PartitionProgress;
import java.util.Objects;
import java.util.Set;
import org.apache.hyracks.api.context.IHyracksTaskContext;
import org.apache.hyracks.api.dataflow.IOperatorNodePushable;
import org.apache.hyracks.api.dataflow.value.IRecordDescriptorProvider;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.api.job.IOperatorDescriptorRegistry;
import org.apache.hyracks.api.job.JobId;
import org.apache.hyracks.api.result.IResultPartitionManager;
import org.apache.hyracks.dataflow.std.base.AbstractSingleActivityOperatorDescriptor;
import org.apache.hyracks.dataflow.std.base.AbstractUnaryOutputSourceOperatorNodePushable;
import org.jspecify.annotations.Nullable;

/** Asks every node about itself, one task a node. */
final class NodeQuery extends AbstractSingleActivityOperatorDescriptor {
  private static final long serialVersionUID = 1L;

  /** The question. */
  enum Question {
    /** Names of datasets. */
    DATASETS,
    /** How many partitions a node has room for, and which node has which. */
    SHAPE,
    /** Nothing: the indexes of everything that is stored are opened. */
    ACTIVATE,
    /** What its engine holds and has done: {@link StatsDocument}. */
    STATS,
    /** Who waits in it, as it shows that to other processes; no text while nobody does. */
    WAITS,
    /** What a feed has done: a {@link FeedReport} for each partition. */
    PROGRESS,
    /**
     * What all feeds have done: the number of each, and a {@link FeedReport} for each partition.
     */
    FEEDS,
    /** What a feed has done, and the node forgets it. */
    LAST_PROGRESS,
    /** Nothing: the result of a job is dropped, which nobody reads any more. */
    DISCARD,
    /** Nothing: the results of all other jobs are dropped. */
    DISCARD_ALL,
    /** How far a named feed has come: a {@link FeedPosition} for each input and partition. */
    POSITIONS,
    /** What a named feed has left out: a {@link FeedReject} each. */
    REJECTS
  }

  private final Question question;
  private final long feed;
  private final @Nullable FeedName named;

  /**
   * Asks.
   *
   * @param feed number of the feed or the job, if the question is about one
   */
  NodeQuery(IOperatorDescriptorRegistry job, Question question, long feed) {
    this(job, question, feed, null);
  }

  /** Asks about a named feed. */
  NodeQuery(IOperatorDescriptorRegistry job, Question question, FeedName feed) {
    this(job, question, 0, feed);
  }

  private NodeQuery(
      IOperatorDescriptorRegistry job, Question question, long feed, @Nullable FeedName named) {
    super(job, 0, 1);
    this.question = question;
    this.feed = feed;
    this.named = named;
    outRecDescs[0] = RecordTuples.descriptor();
  }

  @Override
  public IOperatorNodePushable createPushRuntime(
      IHyracksTaskContext task, IRecordDescriptorProvider records, int node, int nodes) {
    return new AbstractUnaryOutputSourceOperatorNodePushable() {
      @Override
      public void initialize() throws HyracksDataException {
        Emission.run(writer, this::answer);
      }

      private void answer() throws HyracksDataException, StorageException {
        RecordTuples.Writer output = new RecordTuples.Writer(task, writer);
        NodeStorage storage = NodeStorage.of(task);
        switch (question) {
          case DATASETS -> {
            for (String name : storage.engine().names()) {
              if (storage.engine().store(name) instanceof Dataset) {
                send(output, new KeyEncoder().addString(name).toSlice());
              }
            }
          }
          case SHAPE -> {
            KeyEncoder table = new KeyEncoder().addLong(storage.partitions());
            storage.engine().place().table(storage.partitions()).homes().forEach(table::addLong);
            send(output, table.toSlice());
          }
          case ACTIVATE -> {
            for (String name : storage.engine().names()) {
              DatasetStats opened = storage.engine().store(name).stats();
              assert opened.name().equals(name) : opened;
            }
          }
          case STATS ->
              output.write(number(storage), StatsDocument.encode(storage.engine().stats()));
          case WAITS ->
              output.write(
                  number(storage),
                  new KeyEncoder().addString(storage.waits().orElse("")).toSlice());
          case DISCARD -> task.getResultPartitionManager().sweep(new JobId(feed));
          case DISCARD_ALL -> discardOthers(task);
          case POSITIONS -> {
            FeedName asked = Objects.requireNonNull(named);
            for (FeedPosition position : FeedLedger.read(storage.engine(), asked)) {
              send(output, FeedReport.encode(position));
            }
          }
          case REJECTS -> {
            FeedName asked = Objects.requireNonNull(named);
            for (FeedReject reject : FeedLedger.rejects(storage.engine(), asked)) {
              send(output, reject.encode());
            }
          }
          case FEEDS -> {
            for (long each : storage.feeds().numbers()) {
              for (PartitionProgress partition : storage.feeds().progress(each)) {
                KeyEncoder values = new KeyEncoder().addLong(each);
                send(output, values.addEncoded(FeedReport.encode(partition)).toSlice());
              }
            }
          }
          case PROGRESS, LAST_PROGRESS -> {
            for (PartitionProgress partition : storage.feeds().progress(feed)) {
              send(output, FeedReport.encode(partition));
            }
          }
        }
        if (question == Question.LAST_PROGRESS) {
          storage.feeds().remove(feed);
        }
        output.finish();
      }
    };
  }

  private static Slice number(NodeStorage storage) {
    return new KeyEncoder().addLong(storage.engine().place().node()).toSlice();
  }

  private static void discardOthers(IHyracksTaskContext task) {
    IResultPartitionManager results = task.getResultPartitionManager();
    for (JobId job : Set.copyOf(results.getJobIds())) {
      if (!job.equals(task.getJobletContext().getJobId())) {
        results.sweep(job);
      }
    }
  }

  private static void send(RecordTuples.Writer output, Slice answer) throws HyracksDataException {
    output.write(new Slice(Bytes.EMPTY), answer);
  }
}
