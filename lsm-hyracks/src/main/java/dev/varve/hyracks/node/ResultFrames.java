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

/** The tuples of a result set, read once. Confined to one thread. */
final class ResultFrames {
  private final IResultSetReader reader;
  private final IFrame frame;
  private final FrameTupleAccessor tuples = new FrameTupleAccessor(RecordTuples.descriptor());
  private final Slice key = new Slice();
  private final Slice record = new Slice();
  private int next;
  private int count;

  ResultFrames(IResultSetReader reader, IHyracksCommonContext context) throws HyracksDataException {
    this.reader = reader;
    this.frame = new VSizeFrame(context);
  }

  boolean next() throws StorageException, JobFailedException {
    while (next == count) {
      if (ErrorTranslator.call("the result could not be read", () -> reader.read(frame)) == 0) {
        return false;
      }
      tuples.reset(frame.getBuffer());
      count = tuples.getTupleCount();
      next = 0;
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
}
