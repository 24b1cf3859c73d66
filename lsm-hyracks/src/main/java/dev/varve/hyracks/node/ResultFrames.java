package dev.varve.hyracks.node;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.hyracks.operator.RecordTuples;
import org.apache.hyracks.api.comm.IFrame;
import org.apache.hyracks.api.comm.VSizeFrame;
import org.apache.hyracks.api.context.IHyracksCommonContext;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.api.result.IResultSetReader;
import org.apache.hyracks.dataflow.common.comm.io.FrameTupleAccessor;
import org.jspecify.annotations.Nullable;

/**
 * The tuples of a result set, read once, frame by frame: when the job has ended, or while it runs.
 * Confined to one thread.
 */
final class ResultFrames implements AutoCloseable {
  private final IResultSetReader reader;
  private final IFrame frame;
  private final FrameTupleAccessor tuples = new FrameTupleAccessor(RecordTuples.descriptor());
  private final Slice key = new Slice();
  private final Slice record = new Slice();

  /** The job that the tuples come from, where it may still run. */
  private final JobClient.@Nullable RunningJob origin;

  private int next;
  private int count;
  private boolean ended;
  private boolean closed;

  /** The result of a job that has ended. */
  ResultFrames(IResultSetReader reader, IHyracksCommonContext context) throws HyracksDataException {
    this(reader, context, null);
  }

  /** The result of a job that may still run. */
  ResultFrames(
      IResultSetReader reader, IHyracksCommonContext context, JobClient.@Nullable RunningJob origin)
      throws HyracksDataException {
    this.reader = reader;
    this.frame = new VSizeFrame(context);
    this.origin = origin;
  }

  /** Reads the first frame, so that a job that fails at once says so here. */
  void readAhead() throws StorageException, JobFailedException {
    readFrames();
  }

  /** Whether there is a tuple that was not given yet. */
  private boolean readFrames() throws StorageException, JobFailedException {
    while (next == count && !ended) {
      if (readFrame() == 0) {
        ended = true;
        if (origin != null) {
          origin.awaitEnd();
        }
      } else {
        tuples.reset(frame.getBuffer());
        count = tuples.getTupleCount();
        next = 0;
      }
    }
    assert next <= count : next + " of " + count;
    return next < count;
  }

  private int readFrame() throws StorageException, JobFailedException {
    try {
      return ErrorTranslator.call("the result could not be read", () -> reader.read(frame));
    } catch (StorageException | JobFailedException unread) {
      if (origin != null) {
        // What the job failed with says more than that its result is not there.
        origin.awaitEnd();
      }
      throw unread;
    }
  }

  boolean next() throws StorageException, JobFailedException {
    if (!readFrames()) {
      return false;
    }
    RecordTuples.view(tuples, next, RecordTuples.KEY_FIELD, key);
    RecordTuples.view(tuples, next, RecordTuples.RECORD_FIELD, record);
    next++;
    return true;
  }

  Slice key() {
    return key;
  }

  Slice record() {
    return record;
  }

  /** Gives up what was not read; idempotent. */
  @Override
  public void close() {
    if (!closed && origin != null) {
      origin.close(ended);
    }
    closed = true;
    next = count;
    ended = true;
  }
}
