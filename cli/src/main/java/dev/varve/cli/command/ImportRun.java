package dev.varve.cli.command;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.hyracks.feed.InputSource;
import dev.varve.hyracks.feed.RecordStream;
import dev.varve.hyracks.feed.ResumePoints;
import dev.varve.report.Figures;
import dev.varve.report.Progress;
import dev.varve.report.command.CommandContext;
import java.util.List;

/**
 * One import: its inputs one after the other into its target. Confined to the main thread, but for
 * what the thread of a signal asks.
 */
final class ImportRun {
  private static final int RECORDS_BETWEEN_LOOKS = 1_000;

  private final CommandContext context;
  private final ImportTarget target;
  private final RejectedRecords rejected;
  private final ImportSummary.Target into;
  private final FieldTypes fields = new FieldTypes();
  private final long began;
  private long read;
  private long bytes;
  private volatile ImportSummary stopped;

  /**
   * An import that has read nothing.
   *
   * @param into the target, for its summary
   */
  ImportRun(
      CommandContext context,
      ImportTarget target,
      RejectedRecords rejected,
      ImportSummary.Target into) {
    this.context = context;
    this.target = target;
    this.rejected = rejected;
    this.into = into;
    this.began = context.clock().nanoTime();
    this.stopped = summary(0, 0, "SIGNAL");
  }

  /**
   * What an import did that ends here, as of a thousand records ago at most; what it replaced is
   * not counted. Any thread may ask.
   */
  ImportSummary ifStopped() {
    return stopped;
  }

  /** Runs to the end. */
  ImportSummary run(List<InputSource> inputs) throws StorageException {
    long replaced;
    try (Progress progress =
        new Progress(
            context.progress(), context.console().err(), "import", Progress.UNKNOWN_TOTAL)) {
      for (InputSource input : inputs) {
        read(input, progress);
      }
      look(progress, "sorting, ");
      replaced = target.finish();
    }
    stopped = summary(target.durable(), replaced, "SIGNAL");
    return summary(read - rejected.count(), replaced, "");
  }

  private ImportSummary summary(long taken, long replaced, String why) {
    assert taken <= read : taken;
    return new ImportSummary(
        "import",
        into,
        new ImportSummary.Counts(read, taken, replaced, rejected.count()),
        bytes,
        (context.clock().nanoTime() - began) / 1e9,
        fields.byName(),
        why);
  }

  private void read(InputSource input, Progress progress) throws StorageException {
    Slice record = new Slice();
    try (RecordStream stream = input.open(0, 1, ResumePoints.NONE)) {
      while (stream.next(record)) {
        read++;
        bytes += record.length();
        try {
          String problem = stream.problem();
          if (problem != null) {
            throw new RequestException(RequestException.Reason.MALFORMED_RECORD, problem);
          }
          target.add(record, stream::place);
          fields.see(record);
        } catch (RequestException | LimitException refused) {
          rejected.add(stream.place(), refused, record);
        }
        if (read % RECORDS_BETWEEN_LOOKS == 0) {
          look(progress, "");
        }
      }
    }
  }

  private void look(Progress progress, String now) {
    stopped = summary(target.durable(), 0, "SIGNAL");
    long nanos = context.clock().nanoTime();
    long perSecond = Math.round(bytes * 1e9 / Math.max(1, nanos - began));
    String note =
        "%s%s, %s/s, %s rejected"
            .formatted(
                now,
                Figures.bytes(bytes),
                Figures.bytes(perSecond),
                Figures.count(rejected.count()));
    progress.update(read, note, nanos);
  }
}
