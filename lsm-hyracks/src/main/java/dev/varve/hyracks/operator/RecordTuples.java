package dev.varve.hyracks.operator;

import dev.varve.common.bytes.Slice;
import java.util.Arrays;
import org.apache.hyracks.api.comm.IFrameTupleAccessor;
import org.apache.hyracks.api.comm.IFrameWriter;
import org.apache.hyracks.api.comm.VSizeFrame;
import org.apache.hyracks.api.context.IHyracksTaskContext;
import org.apache.hyracks.api.dataflow.value.ISerializerDeserializer;
import org.apache.hyracks.api.dataflow.value.RecordDescriptor;
import org.apache.hyracks.api.exceptions.HyracksDataException;
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

  /** Which field is the origin of the record, in the tuples of a named feed. */
  static final int ORIGIN_FIELD = 2;

  private RecordTuples() {}

  /** Describes the two fields. */
  public static RecordDescriptor descriptor() {
    ISerializerDeserializer<?> bytes = ByteArraySerializerDeserializer.INSTANCE;
    return new RecordDescriptor(new ISerializerDeserializer<?>[] {bytes, bytes});
  }

  /** Describes the three fields of a named feed's tuples. */
  static RecordDescriptor descriptorWithOrigin() {
    ISerializerDeserializer<?> bytes = ByteArraySerializerDeserializer.INSTANCE;
    return new RecordDescriptor(new ISerializerDeserializer<?>[] {bytes, bytes, bytes});
  }

  /** Views a field of a tuple in a frame. */
  public static Slice view(IFrameTupleAccessor frame, int tuple, int field, Slice target) {
    return target.set(
        frame.getBuffer().array(),
        frame.getAbsoluteFieldStartOffset(tuple, field),
        frame.getFieldLength(tuple, field));
  }

  /** Appends tuples to frames and hands full frames on. Confined to one task. */
  static final class Writer {
    private final FrameTupleAppender appender;
    private final IFrameWriter output;
    private int[] ends = new int[0];
    private byte[] tuple = new byte[4096];

    Writer(IHyracksTaskContext task, IFrameWriter output) throws HyracksDataException {
      this.appender = new FrameTupleAppender(new VSizeFrame(task));
      this.output = output;
    }

    /** Appends a tuple with these fields. */
    void write(Slice... fields) throws HyracksDataException {
      if (ends.length != fields.length) {
        ends = new int[fields.length];
      }
      int length = 0;
      for (int field = 0; field < fields.length; field++) {
        Slice bytes = fields[field];
        if (tuple.length - length < bytes.length()) {
          tuple = Arrays.copyOf(tuple, Math.max(length + bytes.length(), 2 * tuple.length));
        }
        System.arraycopy(bytes.bytes(), bytes.offset(), tuple, length, bytes.length());
        length += bytes.length();
        ends[field] = length;
      }
      FrameUtils.appendToWriter(output, appender, ends, tuple, 0, length);
    }

    /** Hands on what there is, through everything that keeps something back. */
    void flush() throws HyracksDataException {
      appender.flush(output);
    }

    /**
     * Hands the last frame on, if there is anything in it: an empty one would be a result's file.
     */
    void finish() throws HyracksDataException {
      if (appender.getTupleCount() > 0) {
        appender.write(output, true);
      }
    }
  }
}
