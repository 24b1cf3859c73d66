package dev.varve.transaction.log;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Reads records of a log in LSN order, segment after segment, and decides where the log ends. Where
 * a record is missing or damaged, what lies behind it tells a torn tail, which is dropped, from
 * damage to acknowledged records, which is a {@link CorruptionException}. Reads through files only,
 * changes nothing. Confined to its owner.
 */
public final class LogCursor implements AutoCloseable {
  private static final Logger LOGGER = LogManager.getLogger(LogCursor.class);

  private final LogContext context;
  private final SegmentFiles names;
  private final LogRecord record = new LogRecord();
  private final List<SegmentSpan> spans = new ArrayList<>();
  private final long fromLsn;
  private final long boundLsn;
  private SegmentReader reader;
  private long firstLsn;

  /** Where the next record is expected. */
  private int position;

  private int recordPosition;

  /** The highest LSN that anything read so far knew to be durable. */
  private long durableLsn;

  /** Where the seal at the end leads, when the log does not go on there; else 0. */
  private long unusedSegment;

  /** A segment was read in whose time forces leave marks. */
  private boolean marked;

  private boolean ended;

  /** Opens a cursor at the position that a checkpoint names; reads to where the log ends. */
  @MustBeClosed
  public static LogCursor open(LogContext context, LogPosition start) throws StorageException {
    return new LogCursor(context, start, start.boundaryLsn(), Long.MAX_VALUE);
  }

  /**
   * Where a log ends from which nothing can be read, since the segment is damaged or missing in
   * which reading would start.
   */
  public static LogEnd endOfLost(LogContext context, LogPosition start, CorruptionException damage)
      throws StorageException {
    TailScan scan = new TailScan(start.boundaryLsn());
    long highest = scanLater(context, scan, start.segment() - 1, LogLoss.ACCEPT);
    long forced = Math.max(start.durableLsn(), scan.durableLsn());
    try {
      forced = Math.max(forced, ForceMarks.read(context).orElse(-1));
    } catch (CorruptionException second) {
      damage.addSuppressed(second);
    }
    DroppedTail dropped =
        new DroppedTail(
            damage.file(),
            damage.offset(),
            start.boundaryLsn(),
            Math.max(forced, scan.seenLsn()),
            forced,
            scan.records(),
            damage.getMessage());
    LOGGER.error("{}", dropped);
    long seen = dropped.toLsn();
    return new LogEnd(List.of(), start.boundaryLsn(), forced, seen, highest, 0, dropped);
  }

  /** Opens a cursor over a log that is being written, for the records in a range of LSNs. */
  @MustBeClosed
  public static LogCursor openBounded(
      LogContext context, LogPosition start, long fromLsn, long boundLsn) throws StorageException {
    return new LogCursor(context, start, fromLsn, boundLsn);
  }

  private LogCursor(LogContext context, LogPosition start, long fromLsn, long boundLsn)
      throws StorageException {
    this.context = context;
    this.names = new SegmentFiles(context.files(), context.directory());
    this.fromLsn = fromLsn;
    this.boundLsn = boundLsn;
    this.durableLsn = start.durableLsn();
    this.reader = openReader(start.segment(), "which the checkpoint names");
    try {
      SegmentHeader header = reader.header();
      if (header == null) {
        throw new CorruptionException(
            reader.name(), 0, "header damaged, or not of segment " + start.segment());
      }
      checkFirstLsn(header, start.firstLsn(), reader.name());
      marked = header.version() >= SegmentLayout.MARKED_VERSION;
      long at = SegmentLayout.HEADER_BYTES + start.boundaryLsn() - start.firstLsn();
      if (at > reader.size()) {
        throw new CorruptionException(
            reader.name(),
            reader.size(),
            "segment ends before LSN " + start.boundaryLsn() + ", which the checkpoint names");
      }
      this.firstLsn = start.firstLsn();
      this.position = (int) at;
    } catch (StorageException | RuntimeException e) {
      reader.close();
      throw e;
    }
  }

  /** Moves to the next update, commit or abort; false at the end. */
  public boolean next() throws StorageException {
    while (!ended) {
      long lsn = lsn();
      if (lsn >= boundLsn) {
        ended = true;
        return false;
      }
      int length = reader.recordAt(position);
      if (length == 0) {
        ended = true;
        return false;
      }
      String problem = record.set(reader.window(), reader.offset(position), length);
      if (problem == null && record.lsn() != lsn) {
        problem = "record of LSN " + record.lsn() + " where LSN " + lsn + " belongs";
      }
      if (problem != null) {
        // The checksum holds, so this is what was written: no torn write, but damage or a bug.
        throw new CorruptionException(reader.name(), position, problem);
      }
      recordPosition = position;
      if (record.type() == RecordType.SEAL) {
        ended = !enterNext();
      } else {
        position += length;
        learn(record.durableLsn());
        if (lsn >= fromLsn) {
          return true;
        }
      }
    }
    return false;
  }

  /** The record under the cursor; valid until {@link #next}. */
  public LogRecord record() {
    return record;
  }

  /** File that holds the record under the cursor. */
  public String file() {
    return reader.name();
  }

  /** Byte position of the record under the cursor in its file. */
  public long filePosition() {
    return recordPosition;
  }

  /**
   * Where the log ends; only after {@link #next} has returned false on a log that is not being
   * appended to.
   *
   * @throws CorruptionException when it is proven that this is not the end
   */
  public LogEnd end() throws StorageException {
    return end(LogLoss.REFUSE, null);
  }

  /**
   * Where the log ends, the end before damaged records included where that is accepted.
   *
   * @param damage what {@link #next} was refused with, if it was
   * @throws CorruptionException when it is proven that this is not the end, and is not accepted
   */
  public LogEnd end(LogLoss loss, @Nullable CorruptionException damage) throws StorageException {
    if ((!ended && damage == null) || boundLsn != Long.MAX_VALUE) {
      throw new IllegalStateException("the cursor is not at the end of the log");
    }
    long end = lsn();
    TailScan scan = new TailScan(end);
    long base = firstLsn - SegmentLayout.HEADER_BYTES;
    if (unusedSegment == 0) {
      scan.scanHole(reader, position, base);
    } else {
      // The seal at the end is whole, and is written anew.
      scan.seal(record);
      scan.scan(reader, position + RecordLayout.SEAL_BYTES, base);
    }
    long highest = scanLater(context, scan, reader.id(), loss);
    long proven = Math.max(durableLsn, scan.durableLsn());
    CorruptionException found = damage;
    try {
      proven = Math.max(proven, markedLsn());
      if (found == null && (proven > end || scan.sectorShared())) {
        found = hole(scan, proven);
      }
    } catch (CorruptionException marks) {
      found = found == null ? marks : found;
    }
    if (found != null && loss == LogLoss.REFUSE) {
      throw found;
    }
    DroppedTail dropped = dropped(scan, proven, found);
    if (dropped != null) {
      LOGGER.log(found == null ? Level.WARN : Level.ERROR, "{}", dropped);
    }
    long seen = dropped == null ? scan.seenLsn() : dropped.toLsn();
    List<SegmentSpan> segments = new ArrayList<>(spans);
    segments.add(new SegmentSpan(reader.id(), firstLsn, end));
    // A damaged log proves nothing of the records that are left, and they are written again.
    long provenOfRest = found == null ? proven : 0;
    return new LogEnd(segments, end, provenOfRest, seen, highest, unusedSegment, dropped);
  }

  /** How far the log was forced by its marks; 0 for a log of a time without them. */
  private long markedLsn() throws StorageException {
    OptionalLong marks = ForceMarks.read(context);
    if (marks.isEmpty() && marked) {
      throw new CorruptionException(
          ForceMarks.path(context).toString(),
          -1,
          "the file is missing that says how far the log was forced");
    }
    return marks.orElse(0);
  }

  private @Nullable DroppedTail dropped(
      TailScan scan, long proven, @Nullable CorruptionException damage) {
    if (damage == null && scan.records() == 0) {
      return null;
    }
    return new DroppedTail(
        damage == null ? reader.name() : damage.file(),
        damage == null ? position : damage.offset(),
        lsn(),
        Math.max(scan.seenLsn(), proven),
        Math.max(lsn(), proven),
        scan.records(),
        damage == null ? null : damage.getMessage());
  }

  /** The message about a place where a record must be and is not. */
  private CorruptionException hole(TailScan scan, long proven) {
    long end = lsn();
    String place = "no whole record at LSN " + end + ", ";
    String behind = scan.records() + " whole records lie behind it";
    if (proven <= end) {
      return new CorruptionException(
          reader.name(),
          position,
          place + "but one that was written later in the same sector; " + behind);
    }
    String stake =
        "but the log was forced up to LSN "
            + proven
            + ": "
            + (proven - end)
            + " bytes of forced records are at stake; "
            + behind;
    return unusedSegment == 0
        ? new CorruptionException(reader.name(), position, place + stake)
        : new CorruptionException(
            names.path(unusedSegment).toString(), 0, "no header, and so " + place + stake);
  }

  /** Looks for records in the segments above an id; returns the highest id there is. */
  private static long scanLater(LogContext context, TailScan scan, long id, LogLoss loss)
      throws StorageException {
    long highest = id;
    SegmentFiles names = new SegmentFiles(context.files(), context.directory());
    for (Map.Entry<Long, Path> later : names.list().tailMap(id + 1).entrySet()) {
      highest = later.getKey();
      try (SegmentReader other = new SegmentReader(context, later.getValue(), highest)) {
        SegmentHeader header = headerOf(other, loss);
        if (header != null) {
          scan.header(header);
        }
        long base =
            header == null ? TailScan.ANY_BASE : header.firstLsn() - SegmentLayout.HEADER_BYTES;
        scan.scan(other, SegmentLayout.HEADER_BYTES, base);
      }
    }
    return highest;
  }

  private static @Nullable SegmentHeader headerOf(SegmentReader segment, LogLoss loss)
      throws StorageException {
    try {
      return segment.header();
    } catch (CorruptionException damaged) {
      if (loss == LogLoss.REFUSE) {
        throw damaged;
      }
      LOGGER.warn("a segment behind the end of the log is damaged too", damaged);
      return null;
    }
  }

  private long lsn() {
    return firstLsn + position - SegmentLayout.HEADER_BYTES;
  }

  private void learn(long durable) {
    durableLsn = Math.max(durableLsn, durable);
  }

  /**
   * Follows the seal under the cursor; false when the next segment was not taken into use: then the
   * log ends at the seal, which is written anew.
   */
  private boolean enterNext() throws StorageException {
    learn(record.durableLsn());
    long sealLsn = record.lsn();
    long nextSegment = record.nextSegment();
    long nextLsn = record.nextLsn();
    if (nextSegment <= reader.id() || nextLsn < sealLsn + RecordLayout.SEAL_BYTES) {
      throw new CorruptionException(
          reader.name(), recordPosition, "seal that leads to segment " + nextSegment);
    }
    SegmentReader next = openReader(nextSegment, "in which the log goes on");
    try {
      if (next.size() < record.nextBytes()) {
        throw new CorruptionException(
            next.name(),
            next.size(),
            "segment is cut, it was " + record.nextBytes() + " bytes long");
      }
      SegmentHeader header = next.header();
      if (header == null) {
        next.close();
        unusedSegment = nextSegment;
        return false;
      }
      checkFirstLsn(header, nextLsn, next.name());
      learn(header.durableLsn());
      marked |= header.version() >= SegmentLayout.MARKED_VERSION;
    } catch (StorageException | RuntimeException e) {
      next.close();
      throw e;
    }
    spans.add(new SegmentSpan(reader.id(), firstLsn, sealLsn + RecordLayout.SEAL_BYTES));
    reader.close();
    reader = next;
    firstLsn = nextLsn;
    position = SegmentLayout.HEADER_BYTES;
    return true;
  }

  private SegmentReader openReader(long segment, String why) throws StorageException {
    Path path = names.path(segment);
    if (!context.files().exists(path)) {
      throw new CorruptionException(path.toString(), -1, "log segment is missing, " + why);
    }
    return new SegmentReader(context, path, segment);
  }

  private static void checkFirstLsn(SegmentHeader header, long expected, String name)
      throws CorruptionException {
    if (header.firstLsn() != expected) {
      throw new CorruptionException(
          name,
          SegmentLayout.FIRST_LSN,
          "segment begins at LSN " + header.firstLsn() + ", not " + expected);
    }
  }

  @Override
  public void close() {
    reader.close();
  }
}
