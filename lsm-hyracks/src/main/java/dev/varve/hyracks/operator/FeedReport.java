package dev.varve.hyracks.operator;

import dev.varve.common.bytes.KeyDecoder;
import dev.varve.common.bytes.KeyEncoder;
import dev.varve.common.bytes.Slice;
import dev.varve.hyracks.feed.FeedPosition;
import dev.varve.hyracks.feed.Overflow;
import dev.varve.hyracks.feed.PartitionProgress;
import dev.varve.hyracks.feed.RefusalReason;
import dev.varve.hyracks.feed.RefusalReport;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What a feed did, as a tuple of a job's result: encoded values. No state. */
public final class FeedReport {
  private FeedReport() {}

  /** The second field of such a tuple. */
  static Slice encode(PartitionProgress progress) {
    KeyEncoder values =
        new KeyEncoder()
            .addLong(progress.partition())
            .addLong(progress.stored())
            .addLong(progress.refused())
            .addLong(progress.highestKey())
            .addLong(progress.overflow().spilled())
            .addLong(progress.overflow().discarded());
    for (RefusalReport refusal : progress.refusals()) {
      values.addString(refusal.reason().name());
      values.addLong(refusal.count());
      values.addLong(refusal.samples().size());
      refusal.samples().forEach(values::addString);
    }
    return values.toSlice();
  }

  /** Reads the second field of such a tuple. */
  public static PartitionProgress read(Slice field) {
    return read(new KeyDecoder().reset(field));
  }

  /** Reads it behind what was read before. */
  public static PartitionProgress read(KeyDecoder values) {
    int partition = (int) values.readLong();
    long stored = values.readLong();
    long refused = values.readLong();
    long highestKey = values.readLong();
    Overflow overflow = new Overflow(values.readLong(), values.readLong());
    List<RefusalReport> refusals = new ArrayList<>();
    while (values.hasNext()) {
      RefusalReason reason = RefusalReason.valueOf(values.readString());
      long count = values.readLong();
      List<String> samples = new ArrayList<>();
      for (long left = values.readLong(); left > 0; left--) {
        samples.add(values.readString());
      }
      refusals.add(new RefusalReport(reason, count, samples));
    }
    return new PartitionProgress(partition, stored, refused, highestKey, refusals, overflow);
  }

  /** The second field of a tuple that says how far a named feed has come. */
  static Slice encode(FeedPosition position) {
    KeyEncoder values =
        new KeyEncoder()
            .addString(position.input())
            .addLong(position.partition())
            .addLong(position.records())
            .addLong(position.offset())
            .addLong(position.stored());
    position.refused().forEach((reason, count) -> values.addString(reason.name()).addLong(count));
    return values.toSlice();
  }

  /** Reads such a field. */
  public static FeedPosition readPosition(Slice field) {
    KeyDecoder values = new KeyDecoder().reset(field);
    String input = values.readString();
    int partition = (int) values.readLong();
    long records = values.readLong();
    long offset = values.readLong();
    long stored = values.readLong();
    Map<RefusalReason, Long> refused = new EnumMap<>(RefusalReason.class);
    while (values.hasNext()) {
      refused.put(RefusalReason.valueOf(values.readString()), values.readLong());
    }
    return new FeedPosition(input, partition, records, offset, stored, refused);
  }
}
