package dev.varve.hyracks.operator;

import dev.varve.common.bytes.Slice;
import org.apache.hyracks.api.comm.IFrameWriter;
import org.apache.hyracks.api.comm.VSizeFrame;
import org.apache.hyracks.api.context.IHyracksTaskContext;
import org.apache.hyracks.api.dataflow.value.ISerializerDeserializer;
import org.apache.hyracks.api.dataflow.value.RecordDescriptor;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.dataflow.common.comm.io.FrameTupleAccessor;
import org.apache.hyracks.dataflow.common.comm.io.FrameTupleAppender;
import org.apache.hyracks.dataflow.common.comm.util.FrameUtils;
import org.apache.hyracks.dataflow.common.data.marshalling.ByteArraySerializerDeserializer;

/**
 * Tuples of two fields: an encoded primary key and the bytes that go with it. The fields are the
 * bare bytes, without a length before them. Static functions; the writer is confined to its task.
 */
public final class RecordTuples {
  /** Size of a frame: a few hundred records of one kilobyte, which share a force of the log. */
  public static final int FRAME_BYTES = 256 << 10;

  /** Which field is the encoded primary key. */
  public static final int KEY_FIELD = 0;

  /** Which field is the record. */
  public static final int RECORD_FIELD = 1;

  private RecordTuples() {}

  /** Describes the two fields. */
  public static RecordDescriptor descriptor() {
    ISerializerDeserializer<?> bytes = ByteArraySerializerDeserializer.INSTANCE;
    return new RecordDescriptor(new ISerializerDeserializer<?>[] {bytes, bytes});
  }

  /** Views a field of a tuple in a frame. */
  public static Slice view(FrameTupleAccessor frame, int tuple, int field, Slice target) {
    return target.set(
        frame.getBuffer().array(),
        frame.getAbsoluteFieldStartOffset(tuple, field),
        frame.getFieldLength(tuple, field));
  }

  /** Appends tuples to frames and hands full frames on. Confined to one task. */
  static final class Writer {
    private final FrameTupleAppender appender;
    private final IFrameWriter output;
    private final int[] ends = new int[2];
    private byte[] tuple = new byte[4096];

    Writer(IHyracksTaskContext task, IFrameWriter output) throws HyracksDataException {
      this.appender = new FrameTupleAppender(new VSizeFrame(task));
      this.output = output;
    }

    void write(Slice key, Slice record) throws HyracksDataException {
      int length = key.length() + record.length();
      if (tuple.length < length) {
        tuple = new byte[Math.max(length, 2 * tuple.length)];
      }
      System.arraycopy(key.bytes(), key.offset(), tuple, 0, key.length());
      System.arraycopy(record.bytes(), record.offset(), tuple, key.length(), record.length());
      ends[0] = key.length();
      ends[1] = length;
      FrameUtils.appendToWriter(output, appender, ends, tuple, 0, length);
    }

    /** Hands on what there is, through everything that keeps something back. */
    void flush() throws HyracksDataException {
      appender.flush(output);
    }

    /** Hands the last frame on. */
    void finish() throws HyracksDataException {
      appender.write(output, true);
    }
  }
}
