package dev.varve.transaction.log;

import dev.varve.common.env.FileSystem;
import dev.varve.common.env.Quarantine;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes a log that was read ready for appending. In this order, each step durable before the next,
 * so that a crash in between leaves a log that reads the same. The first step is done when this is
 * made; the others take as long as there is much to write again, and others may read the log
 * meanwhile, up to its end.
 *
 * <ol>
 *   <li>what is no part of the log is deleted, or kept aside where it holds records, and a fresh
 *       segment is prepared under an id that was never used;
 *   <li>segments with records that were not proven durable are written again, and zeros behind
 *       their end: after a failed force in the process before, what was read may be in the page
 *       cache only;
 *   <li>the last segment is sealed: the stream goes on in the fresh one;
 *   <li>force marks are written anew, since the next segments go by them;
 *   <li>the fresh segment is taken into use.
 * </ol>
 */
final class LogContinuation {
  private static final int COPY_BYTES = 1 << 20;

  private final LogContext context;
  private final LogOptions options;
  private final LogEnd end;
  private final SegmentFiles names;
  private final SegmentPreparer preparer;
  private final SortedMap<Long, Path> found;
  private final Segment fresh;
  private @Nullable ForceMarks marks;

  LogContinuation(LogContext context, LogOptions options, LogEnd end) throws StorageException {
    this.context = context;
    this.options = options;
    this.end = end;
    this.names = new SegmentFiles(context.files(), context.directory());
    context.createDirectory();
    names.deleteUnfinished();
    this.found = names.list();
    long highest = found.isEmpty() ? 0 : found.lastKey();
    this.preparer =
        new SegmentPreparer(
            context, options.segmentBytes(), Math.max(highest, end.highestSegment()) + 1);
    discard();
    this.fresh = preparer.prepareNow();
    fresh.firstLsn = Math.max(sealedEnd(), end.seenLsn());
    fresh.position = SegmentLayout.HEADER_BYTES;
  }

  /** Where the segments that were read end once the last one is sealed. */
  private long sealedEnd() {
    return end.segments().isEmpty() ? end.lsn() : end.lsn() + RecordLayout.SEAL_BYTES;
  }

  /** Prepares segments for the log from now on; not started yet. */
  SegmentPreparer preparer() {
    return preparer;
  }

  /** The marks that forces of the log leave; only after {@link #run}, by whoever leads. */
  ForceMarks marks() {
    return Objects.requireNonNull(marks);
  }

  /** Closes the marks. */
  void close() {
    if (marks != null) {
      marks.close();
    }
  }

  /** The segment to append to. */
  Segment fresh() {
    return fresh;
  }

  /** The segments before the fresh one, oldest first, the last one sealed. */
  List<SegmentSpan> chain() {
    List<SegmentSpan> chain = new ArrayList<>(end.segments());
    if (!chain.isEmpty()) {
      SegmentSpan last = chain.remove(chain.size() - 1);
      chain.add(new SegmentSpan(last.segment(), last.firstLsn(), sealedEnd()));
    }
    return chain;
  }

  /**
   * Does all but the first step.
   *
   * @return the LSN below which everything is durable, which is that of the fresh segment
   */
  @SuppressWarnings("MustBeClosedChecker") // The log takes the marks over and closes them.
  long run() throws StorageException {
    for (SegmentSpan span : end.segments()) {
      boolean dropsBehind = end.dropped() != null && span.endLsn() == end.lsn();
      if (dropsBehind || span.endLsn() > end.provenLsn() || span.firstLsn() >= end.provenLsn()) {
        rewrite(span);
      }
    }
    // Everything below the fresh segment is in forced files by now.
    SegmentHeader header =
        new SegmentHeader(
            context.storeId(), fresh.id(), fresh.firstLsn, fresh.firstLsn, fresh.bytes());
    if (!end.segments().isEmpty()) {
      seal(end.segments().get(end.segments().size() - 1), header);
      deleteUnusedSegment();
    }
    marks = ForceMarks.replace(context, end.lsn());
    byte[] bytes = new byte[SegmentLayout.HEADER_BYTES];
    header.encode(bytes);
    fresh.put(0, bytes, 0, bytes.length);
    fresh.force(bytes.length);
    return fresh.firstLsn;
  }

  /**
   * Takes away what the log does not need. One whole segment behind its end is kept to become the
   * fresh one; not more, since after a crash in a rename two names may stand for one file.
   */
  private void discard() throws StorageException {
    Set<Long> needed = new HashSet<>();
    long last = 0;
    for (SegmentSpan span : end.segments()) {
      needed.add(span.segment());
      last = span.segment();
    }
    // The seal at the end leads there until it is replaced: without it, the log would not open.
    needed.add(end.unusedSegment());
    long reused = found.isEmpty() ? 0 : found.lastKey();
    if (reused != end.unusedSegment()
        && reused > last
        && !holdsRecords(reused)
        && beginsAsSegment(reused)
        && options.isSegment(context.files().size(names.path(reused)))) {
      needed.add(reused);
      preparer.recycle(names.path(reused));
    }
    long first = end.segments().isEmpty() ? 0 : end.segments().get(0).segment();
    for (Map.Entry<Long, Path> entry : found.entrySet()) {
      if (!needed.contains(entry.getKey())) {
        // Segments below the checkpoint's position were released; above it, records count.
        if (entry.getKey() < first) {
          context.files().delete(entry.getValue());
        } else {
          discard(entry.getKey(), entry.getValue());
        }
      }
    }
    context.files().forceDirectory(context.directory());
  }

  private void discard(long segment, Path path) throws StorageException {
    if (holdsRecords(segment)) {
      setAside(path);
    } else if (beginsAsSegment(segment)) {
      context.files().delete(path);
    } else {
      context
          .quarantine()
          .put(path, Quarantine.Kind.UNEXPLAINED, "it has the name of a log segment and is none");
    }
  }

  private boolean beginsAsSegment(long segment) throws StorageException {
    try (SegmentReader reader = new SegmentReader(context, names.path(segment), segment)) {
      return reader.beginsAsSegment();
    }
  }

  private boolean holdsRecords(long segment) throws StorageException {
    try (SegmentReader reader = new SegmentReader(context, names.path(segment), segment)) {
      TailScan scan = new TailScan(0);
      return scan.scan(reader, SegmentLayout.HEADER_BYTES, TailScan.ANY_BASE) >= 0;
    }
  }

  /** Keeps a segment whose records are not in the log, until a clean close if none was forced. */
  private void setAside(Path path) throws StorageException {
    DroppedTail dropped = end.dropped();
    boolean loss = dropped != null && dropped.loss();
    context
        .quarantine()
        .put(
            path,
            loss ? Quarantine.Kind.UNEXPLAINED : Quarantine.Kind.SUPERFLUOUS,
            dropped == null ? "its records are no part of the log" : dropped.toString());
  }

  private void deleteUnusedSegment() throws StorageException {
    if (end.unusedSegment() != 0) {
      context.files().delete(names.path(end.unusedSegment()));
      context.files().forceDirectory(context.directory());
    }
  }

  private void rewrite(SegmentSpan span) throws StorageException {
    Path path = names.path(span.segment());
    Path copy = names.unfinishedPath(span.segment());
    DroppedTail dropped = end.dropped();
    if (dropped != null && dropped.loss() && span.endLsn() == end.lsn()) {
      // The bytes that are cut off may still be of use to an operator who salvages them.
      copy(path, copy, Long.MAX_VALUE);
      setAside(copy);
    }
    copy(path, copy, SegmentLayout.HEADER_BYTES + span.endLsn() - span.firstLsn());
    context.files().rename(copy, path);
    context.files().forceDirectory(context.directory());
  }

  /** Copies a segment up to a position, with zeros behind it; forced. */
  private void copy(Path path, Path copy, long used) throws StorageException {
    FileSystem files = context.files();
    long size = files.size(path);
    try (StorageFile source = files.open(path, FileSystem.OpenMode.READ_ONLY);
        StorageFile target = files.open(copy, FileSystem.OpenMode.CREATE_NEW)) {
      byte[] buffer = new byte[(int) Math.min(COPY_BYTES, size)];
      for (long position = 0; position < size; ) {
        int part = (int) Math.min(buffer.length, size - position);
        int wanted = (int) Math.max(0, Math.min(part, used - position));
        if (source.read(position, buffer, 0, wanted) < wanted) {
          throw new CorruptionException(path.toString(), position, "segment became shorter");
        }
        Arrays.fill(buffer, wanted, part, (byte) 0);
        target.write(position, buffer, 0, part);
        position += part;
      }
      target.force();
    }
  }

  private void seal(SegmentSpan span, SegmentHeader next) throws StorageException {
    RecordEncoder encoder = new RecordEncoder();
    // The header of the next segment is not durable yet: until it is, the log ends here.
    encoder.seal(next, end.lsn()).at(end.lsn());
    int length = encoder.finish(SegmentLayout.salt(context.storeId(), span.segment()));
    assert length == RecordLayout.SEAL_BYTES : length;
    Path path = names.path(span.segment());
    try (StorageFile file = context.files().open(path, FileSystem.OpenMode.READ_WRITE)) {
      long position = SegmentLayout.HEADER_BYTES + end.lsn() - span.firstLsn();
      file.write(position, encoder.bytes(), 0, length);
      file.force();
    }
  }
}
