package dev.varve.hyracks.operator;

import dev.varve.common.bytes.KeyDecoder;
import dev.varve.common.bytes.KeyEncoder;
import dev.varve.common.bytes.Slice;
import dev.varve.hyracks.feed.PartitionProgress;
import dev.varve.hyracks.feed.RefusalReason;
import dev.varve.hyracks.feed.RefusalReport;
import java.util.ArrayList;
import java.util.List;

/** What a feed did to a partition, as a tuple of a job's result: encoded values. No state. */
public final class FeedReport {
  private FeedReport() {}

  /** The second field of such a tuple. */
  static Slice encode(PartitionProgress progress) {
    KeyEncoder values =
        new KeyEncoder()
            .addLong(progress.partition())
            .addLong(progress.stored())
            .addLong(progress.refused())
            .addLong(progress.highestKey());
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
    KeyDecoder values = new KeyDecoder().reset(field);
    int partition = (int) values.readLong();
    long stored = values.readLong();
    long refused = values.readLong();
    long highestKey = values.readLong();
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
    return new PartitionProgress(partition, stored, refused, highestKey, refusals);
  }
}
