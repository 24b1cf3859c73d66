package dev.varve.hyracks.operator;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.hyracks.feed.FeedPosition;
import java.nio.charset.StandardCharsets;
import org.apache.hyracks.api.exceptions.HyracksDataException;

/** Sends the records of a named feed with their origins, and marks. Confined to its task. */
final class FeedMarks {
  /** So many records of an input are sent between two of its marks, at most. */
  static final long RECORDS = 1_000;

  private final RecordTuples.Writer output;
  private final int source;
  private final int partitions;
  private final FeedOrigin origin = new FeedOrigin();
  private final Slice none = new Slice(Bytes.EMPTY);
  private String name = "";
  private int input = -1;
  private long sent;
  private long sentOffset = FeedPosition.NO_OFFSET;
  private long marked;

  /**
   * Marks of a source partition.
   *
   * @param source number of the source partition
   * @param partitions of the dataset
   */
  FeedMarks(RecordTuples.Writer output, int source, int partitions) {
    this.output = output;
    this.source = source;
    this.partitions = partitions;
  }

  /**
   * Says where the next record comes from.
   *
   * @param number of the record in its input
   * @param offset behind the record in its input; below zero if nobody knows
   */
  void at(String from, long number, long offset) throws HyracksDataException {
    if (input < 0 || !from.equals(name)) {
      mark();
      input++;
      name = from;
      sent = Math.max(0, number - 1);
      sentOffset = FeedPosition.NO_OFFSET;
      send(new Slice(name.getBytes(StandardCharsets.UTF_8)));
    } else if (number - marked > RECORDS) {
      mark();
    }
    assert number == 0 || number > sent : number + " after " + sent + " of " + name;
    sent = number;
    sentOffset = offset;
  }

  /** Sends a record with its input, and its place there. */
  void send(Slice key, Slice record) throws HyracksDataException {
    output.write(key, record, origin.ofRecord(source, input, sent, sentOffset));
  }

  /** Tells all partitions that what was read until now was sent. */
  void mark() throws HyracksDataException {
    if (sent > marked) {
      send(none);
    }
  }

  private void send(Slice text) throws HyracksDataException {
    for (int partition = 0; partition < partitions; partition++) {
      output.write(none, text, origin.ofMark(source, input, sent, sentOffset, partition));
    }
    marked = sent;
  }
}
