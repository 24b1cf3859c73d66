package dev.varve.hyracks.operator;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.KeyDecoder;
import dev.varve.common.bytes.KeyType;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.DatasetPartition;
import dev.varve.dataset.RecordSession;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.PartitionTable;
import dev.varve.hyracks.adapter.NodeStorage;
import dev.varve.hyracks.adapter.StorageFailures;
import dev.varve.hyracks.feed.FeedName;
import dev.varve.hyracks.feed.PartitionCounters;
import dev.varve.hyracks.feed.RefusalReason;
import java.nio.ByteBuffer;
import org.apache.hyracks.api.context.IHyracksTaskContext;
import org.apache.hyracks.api.dataflow.IOperatorNodePushable;
import org.apache.hyracks.api.dataflow.value.IRecordDescriptorProvider;
import org.apache.hyracks.api.dataflow.value.RecordDescriptor;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.api.job.IOperatorDescriptorRegistry;
import org.apache.hyracks.dataflow.common.comm.io.FrameTupleAccessor;
import org.apache.hyracks.dataflow.std.base.AbstractSingleActivityOperatorDescriptor;
import org.apache.hyracks.dataflow.std.base.AbstractUnaryInputUnaryOutputOperatorNodePushable;
import org.jspecify.annotations.Nullable;

/**
 * Writes a feed's records to the partition that holds them. Each record is a transaction of its own
 * over all indexes; the records of a frame share one force of the log, and are acknowledged when it
 * has returned. A refused record is counted with its reason, and the feed goes on; any other
 * failure fails the job, whose earlier frames stay. Of a named feed the positions are made durable
 * with the records; records that were dealt with in an earlier run are passed over, and one that is
 * there already as it is counts as stored. Sends one tuple at its end: the partition's counts.
 */
final class DatasetWrite extends AbstractSingleActivityOperatorDescriptor {
  private static final long serialVersionUID = 1L;

  private final String dataset;
  private final WriteMode mode;
  private final PartitionTable routing;
  private final long feed;
  private final @Nullable FeedName name;
  private final RecordDescriptor tuples;

  DatasetWrite(IOperatorDescriptorRegistry job, DatasetJobs.FeedPlan plan, PartitionTable routing) {
    super(job, 1, 1);
    this.dataset = plan.dataset().name();
    this.mode = plan.mode();
    this.routing = routing;
    this.feed = plan.feed();
    this.name = plan.name();
    this.tuples = plan.tuples();
    outRecDescs[0] = RecordTuples.descriptor();
  }

  @Override
  public IOperatorNodePushable createPushRuntime(
      IHyracksTaskContext task, IRecordDescriptorProvider records, int partition, int partitions)
      throws HyracksDataException {
    return new Writes(task, partition);
  }

  private final class Writes extends AbstractUnaryInputUnaryOutputOperatorNodePushable {
    private final IHyracksTaskContext task;
    private final int number;
    private final PartitionCounters counters;
    private final FrameTupleAccessor frame = new FrameTupleAccessor(tuples);
    private final Slice key = new Slice();
    private final Slice record = new Slice();
    private final Slice highest = new Slice();
    private final KeyDecoder decoder = new KeyDecoder();
    private final FeedProblem problems = new FeedProblem();
    private final DatasetPartition target;
    private final @Nullable FeedInputs inputs;
    private boolean failed;

    Writes(IHyracksTaskContext task, int number) throws HyracksDataException {
      this.task = task;
      this.number = number;
      NodeStorage node = NodeStorage.of(task);
      this.counters = node.feeds().counters(feed, number);
      try {
        this.target = node.engine().dataset(dataset).partition(routing.localOf(number));
        this.inputs = name == null ? null : FeedInputs.open(node, name, number, feed);
      } catch (StorageException failure) {
        throw StorageFailures.toHyracks(failure);
      }
    }

    @Override
    public void open() throws HyracksDataException {
      // Before anything else, so that the operators behind see fail() and close() after an open().
      writer.open();
    }

    @Override
    public void nextFrame(ByteBuffer buffer) throws HyracksDataException {
      frame.reset(buffer);
      try {
        if (inputs == null) {
          writeFrame();
        } else {
          inputs.claim().enter(feed);
          try {
            writeFrame();
          } finally {
            inputs.claim().leave();
          }
        }
      } catch (StorageException failure) {
        throw StorageFailures.toHyracks(failure);
      }
    }

    private void writeFrame() throws StorageException {
      long stored = 0;
      highest.set(record.bytes(), 0, 0);
      try (RecordSession session = target.openSession()) {
        for (int tuple = 0; tuple < frame.getTupleCount(); tuple++) {
          RecordTuples.view(frame, tuple, RecordTuples.KEY_FIELD, key);
          RecordTuples.view(frame, tuple, RecordTuples.RECORD_FIELD, record);
          if ((inputs == null || inputs.isNew(frame, tuple)) && write(session)) {
            stored++;
            if (key.compareBytes(highest) > 0) {
              highest.set(key.bytes(), key.offset(), key.length());
            }
          }
        }
        if (inputs != null) {
          inputs.commit();
        }
        session.force();
      }
      counters.acknowledge(stored, wholeNumber(highest));
    }

    /** Writes one record; false when it was refused. */
    private boolean write(RecordSession session) throws StorageException {
      RefusalReason reason = null;
      String problem = problems.of(key);
      String message = problem == null ? "its primary key can't be read" : problem;
      if (problem != null || (mode == WriteMode.DELETE && key.length() == 0)) {
        reason = RefusalReason.MALFORMED_RECORD;
      } else {
        try {
          change(session);
        } catch (StorageException refused) {
          reason = RefusalReason.of(refused).orElseThrow(() -> refused);
          message = String.valueOf(refused.getMessage());
          if (reason == RefusalReason.DUPLICATE_KEY && inputs != null && isThere(session)) {
            reason = null;
          }
        }
      }
      if (reason != null) {
        counters.refuse(reason, message);
      }
      if (inputs != null && reason != null) {
        inputs.refuse(reason, message, record);
      } else if (inputs != null) {
        inputs.countStored();
      }
      return reason == null;
    }

    private void change(RecordSession session) throws StorageException {
      switch (mode) {
        case INSERT -> session.insert(record);
        case UPSERT -> session.upsert(record);
        case DELETE -> session.delete(Key.ofSlice(key));
        case LOAD -> throw new IllegalStateException("a load has an operator of its own");
      }
    }

    /** Whether the record is there as it is: an earlier run has written it, and no position. */
    private boolean isThere(RecordSession session) throws StorageException {
      return session
          .get(Key.ofSlice(key))
          .filter(there -> record.sameBytes(new Slice(there)))
          .isPresent();
    }

    private long wholeNumber(Slice encoded) {
      if (encoded.length() > 0) {
        decoder.reset(encoded);
        if (decoder.type() == KeyType.NUMBER && decoder.isLong()) {
          return decoder.readLong();
        }
      }
      return PartitionCounters.NO_KEY;
    }

    @Override
    public void fail() throws HyracksDataException {
      failed = true;
      writer.fail();
    }

    @Override
    public void flush() throws HyracksDataException {
      writer.flush();
    }

    @Override
    public void close() throws HyracksDataException {
      try {
        if (!failed) {
          finishInputs();
          RecordTuples.Writer output = new RecordTuples.Writer(task, writer);
          output.write(new Slice(Bytes.EMPTY), FeedReport.encode(counters.progress(number)));
          output.finish();
        }
      } finally {
        writer.close();
      }
    }

    private void finishInputs() throws HyracksDataException {
      FeedInputs read = inputs;
      if (read != null) {
        try {
          read.claim().enter(feed);
          try {
            read.commitAll();
          } finally {
            read.claim().leave();
          }
        } catch (StorageException failure) {
          throw StorageFailures.toHyracks(failure);
        }
      }
    }
  }
}
