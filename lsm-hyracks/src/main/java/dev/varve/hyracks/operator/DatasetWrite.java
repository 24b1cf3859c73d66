package dev.varve.hyracks.operator;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.KeyDecoder;
import dev.varve.common.bytes.KeyType;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.DatasetPartition;
import dev.varve.dataset.RecordSession;
import dev.varve.dataset.model.Key;
import dev.varve.hyracks.adapter.NodeStorage;
import dev.varve.hyracks.adapter.StorageFailures;
import dev.varve.hyracks.feed.PartitionCounters;
import dev.varve.hyracks.feed.RefusalReason;
import java.nio.ByteBuffer;
import org.apache.hyracks.api.context.IHyracksTaskContext;
import org.apache.hyracks.api.dataflow.IOperatorNodePushable;
import org.apache.hyracks.api.dataflow.value.IRecordDescriptorProvider;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.api.job.IOperatorDescriptorRegistry;
import org.apache.hyracks.dataflow.common.comm.io.FrameTupleAccessor;
import org.apache.hyracks.dataflow.std.base.AbstractSingleActivityOperatorDescriptor;
import org.apache.hyracks.dataflow.std.base.AbstractUnaryInputUnaryOutputOperatorNodePushable;

/**
 * Writes a feed's records to the partition that holds them. Each record is a transaction of its own
 * over all indexes; the records of a frame share one force of the log, and are acknowledged when it
 * has returned. A refused record is counted with its reason, and the feed goes on; any other
 * failure fails the job, whose earlier frames stay. Sends one tuple at its end: the partition's
 * counts.
 */
final class DatasetWrite extends AbstractSingleActivityOperatorDescriptor {
  private static final long serialVersionUID = 1L;

  private final String dataset;
  private final WriteMode mode;
  private final ClusterRouting routing;
  private final long feed;

  DatasetWrite(
      IOperatorDescriptorRegistry job,
      String dataset,
      WriteMode mode,
      ClusterRouting routing,
      long feed) {
    super(job, 1, 1);
    this.dataset = dataset;
    this.mode = mode;
    this.routing = routing;
    this.feed = feed;
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
    private final FrameTupleAccessor frame = new FrameTupleAccessor(RecordTuples.descriptor());
    private final Slice key = new Slice();
    private final Slice record = new Slice();
    private final Slice highest = new Slice();
    private final KeyDecoder decoder = new KeyDecoder();
    private final DatasetPartition target;
    private boolean failed;

    Writes(IHyracksTaskContext task, int number) throws HyracksDataException {
      this.task = task;
      this.number = number;
      NodeStorage node = NodeStorage.of(task);
      this.counters = node.feeds().counters(feed, number);
      try {
        this.target = node.engine().dataset(dataset).partition(routing.localOf(number));
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
      long stored = 0;
      highest.set(record.bytes(), 0, 0);
      try (RecordSession session = target.openSession()) {
        for (int tuple = 0; tuple < frame.getTupleCount(); tuple++) {
          RecordTuples.view(frame, tuple, RecordTuples.KEY_FIELD, key);
          RecordTuples.view(frame, tuple, RecordTuples.RECORD_FIELD, record);
          if (write(session)) {
            stored++;
            if (key.compareBytes(highest) > 0) {
              highest.set(key.bytes(), key.offset(), key.length());
            }
          }
        }
        session.force();
      } catch (StorageException failure) {
        throw StorageFailures.toHyracks(failure);
      }
      counters.acknowledge(stored, wholeNumber(highest));
    }

    /** Writes one record; false when it was refused. */
    private boolean write(RecordSession session) throws StorageException {
      if (mode == WriteMode.DELETE && key.length() == 0) {
        counters.refuse(RefusalReason.MALFORMED_RECORD, "its primary key can't be read");
        return false;
      }
      try {
        switch (mode) {
          case INSERT -> session.insert(record);
          case UPSERT -> session.upsert(record);
          case DELETE -> session.delete(Key.ofSlice(key));
          case LOAD -> throw new IllegalStateException("a load has an operator of its own");
        }
        return true;
      } catch (StorageException refused) {
        RefusalReason reason = RefusalReason.of(refused).orElse(null);
        if (reason == null) {
          throw refused;
        }
        counters.refuse(reason, String.valueOf(refused.getMessage()));
        return false;
      }
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
          RecordTuples.Writer output = new RecordTuples.Writer(task, writer);
          output.write(new Slice(Bytes.EMPTY), FeedReport.encode(counters.progress(number)));
          output.finish();
        }
      } finally {
        writer.close();
      }
    }
  }
}
