package dev.varve.hyracks.operator;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.env.LocalFileSystem;
import dev.varve.common.env.SystemClock;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.kind.RecordReader;
import dev.varve.dataset.kind.RecordSchema;
import dev.varve.hyracks.adapter.NodeStorage;
import dev.varve.hyracks.adapter.StorageFailures;
import dev.varve.hyracks.feed.OnFull;
import dev.varve.hyracks.feed.PartitionProgress;
import dev.varve.hyracks.feed.RecordSource;
import dev.varve.hyracks.feed.RecordStream;
import dev.varve.hyracks.feed.RefusalReason;
import dev.varve.hyracks.feed.ResumePoints;
import java.util.ArrayList;
import java.util.List;
import org.apache.hyracks.api.context.IHyracksTaskContext;
import org.apache.hyracks.api.dataflow.IOperatorNodePushable;
import org.apache.hyracks.api.dataflow.value.IRecordDescriptorProvider;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.api.job.IOperatorDescriptorRegistry;
import org.apache.hyracks.dataflow.std.base.AbstractSingleActivityOperatorDescriptor;
import org.apache.hyracks.dataflow.std.base.AbstractUnaryOutputSourceOperatorNodePushable;
import org.jspecify.annotations.Nullable;

/**
 * Pulls records from a source, each partition its own share, and sends them on with their primary
 * keys. It pulls no faster than frames are taken from it: that is the feed's back-pressure. A
 * record whose key can't be read is sent with an empty key, for the writing operator to refuse.
 */
final class FeedSource extends AbstractSingleActivityOperatorDescriptor {
  private static final long serialVersionUID = 1L;

  private final RecordSource source;
  private final ArrayList<ArrayList<String>> primaryKey;
  private final WriteMode mode;
  private final boolean named;
  private final ResumePoints resume;
  private final OnFull onFull;
  private final long feed;
  private final int targets;

  /**
   * A source.
   *
   * @param targets partitions of the dataset
   */
  FeedSource(
      IOperatorDescriptorRegistry job,
      RecordSource source,
      DatasetJobs.FeedPlan plan,
      int targets) {
    super(job, 0, 1);
    this.source = source;
    this.primaryKey = DatasetDefinition.steps(plan.dataset().primaryKey());
    this.mode = plan.mode();
    this.named = plan.name() != null;
    this.resume = plan.resume();
    this.onFull = plan.onFull();
    this.feed = plan.feed();
    this.targets = targets;
    outRecDescs[0] = plan.tuples();
  }

  @Override
  public IOperatorNodePushable createPushRuntime(
      IHyracksTaskContext task, IRecordDescriptorProvider records, int partition, int partitions) {
    return new AbstractUnaryOutputSourceOperatorNodePushable() {
      @Override
      public void initialize() throws HyracksDataException {
        Emission.run(writer, () -> pull(new RecordTuples.Writer(task, writer)));
      }

      private void pull(RecordTuples.Writer output) throws HyracksDataException, StorageException {
        RecordSchema schema = new RecordSchema(DatasetDefinition.paths(primaryKey), List.of());
        RecordReader reader = new RecordReader(schema, NodeStorage.of(task).recordLimits());
        FeedMarks marks = named ? new FeedMarks(output, partition, targets) : null;
        Slice none = new Slice(Bytes.EMPTY);
        Slice record = new Slice();
        FeedProblem problems = new FeedProblem();
        FlushTimer timer = new FlushTimer(new SystemClock());
        try (RecordStream stream = source.open(partition, partitions, resume);
            FeedIntake intake =
                FeedIntake.start(stream, task.getExecutorService(), policy(task, partition))) {
          FeedIntake.Batch batch = intake.take();
          while (batch != null) {
            for (int index = 0; index < batch.records(); index++) {
              batch.get(index, record);
              String problem = batch.problem(index);
              Slice key;
              if (problem == null) {
                key = readable(reader, record) ? reader.primaryKey() : none;
              } else {
                key = problems.key(problem);
              }
              if (marks == null) {
                output.write(key, record);
              } else {
                marks.at(batch.input(index), batch.number(index), batch.offset(index));
                marks.send(key, record);
              }
              if (timer.isDue()) {
                flush(output, marks);
                timer.restart();
              }
            }
            // What was read becomes durable before the next is waited for.
            if (intake.isEmpty()) {
              flush(output, marks);
              timer.restart();
            }
            batch = intake.take();
          }
        } catch (InterruptedException cancelled) {
          Thread.currentThread().interrupt();
          throw HyracksDataException.create(cancelled);
        }
        flush(output, marks);
        output.finish();
      }
    };
  }

  /** What becomes of records for which there is no room; null if the source waits. */
  private FeedIntake.@Nullable Policy policy(IHyracksTaskContext task, int partition) {
    if (onFull == OnFull.THROTTLE) {
      return null;
    }
    int number = PartitionProgress.ofSource(partition);
    return new FeedIntake.Policy(
        onFull,
        new LocalFileSystem(),
        () -> task.createManagedWorkspaceFile("feed").getFile().toPath(),
        NodeStorage.of(task).feeds().counters(feed, number));
  }

  private static void flush(RecordTuples.Writer output, @Nullable FeedMarks marks)
      throws HyracksDataException {
    if (marks != null) {
      marks.mark();
    }
    output.flush();
  }

  /**
   * Whether the key can be read. The operator that writes a record reads all of it, and refuses it
   * if need be, so its key is enough here; a delete looks at the key alone, so what it deletes by
   * is checked as a whole here.
   */
  private boolean readable(RecordReader reader, Slice record) throws HyracksDataException {
    try {
      if (mode == WriteMode.DELETE) {
        reader.read(record);
      } else {
        reader.readPrimaryKey(record);
      }
      return true;
    } catch (StorageException refused) {
      if (RefusalReason.of(refused).isPresent()) {
        return false;
      }
      throw StorageFailures.toHyracks(refused);
    }
  }
}
