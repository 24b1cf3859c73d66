package dev.varve.transaction.log;

import dev.varve.common.env.FileSystem;
import dev.varve.common.env.MappedRegion;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.DiskException;
import java.nio.file.Path;

/**
 * A segment that is open for appending. The positions are guarded by the log's append lock, {@link
 * #forced} by leadership of a force.
 *
 * <p>Bytes go through a mapping, which costs no call. But a force write-protects the page that it
 * wrote, and the next byte that comes through the mapping is a page fault, which is dearer than a
 * call to write; so what follows a force goes through calls up to the end of the page.
 */
final class Segment {
  /** A page of the usual systems, to whose end calls are made; only speed depends on it. */
  private static final int PAGE_BYTES = 4096;

  /** No more of a segment than one part of so many is called for after a force. */
  private static final int LEAST_PAGES = 8;

  private final long id;
  private final Path path;
  private final StorageFile file;
  private final MappedRegion region;
  private final int salt;
  private final int bytes;

  /** LSN of the first record; set when the segment is taken into use. */
  long firstLsn;

  /** Where the next record goes. */
  int position;

  /** Nothing more will be appended. */
  boolean sealed;

  /** Bytes from the start of the file that were forced. */
  int forced;

  /**
   * Below it bytes are written by calls. Set by leaders, read by appenders: either way is right.
   */
  private volatile int calledBelow;

  private Segment(long id, Path path, StorageFile file, MappedRegion region, Shape shape) {
    this.id = id;
    this.path = path;
    this.file = file;
    this.region = region;
    this.salt = shape.salt;
    this.bytes = shape.bytes;
  }

  private record Shape(int salt, int bytes) {}

  /** Opens and maps a prepared file. */
  @SuppressWarnings("MustBeClosed") // The segment owns both and closes them.
  static Segment open(LogContext context, Path path, long id, int bytes) throws DiskException {
    StorageFile file = context.files().open(path, FileSystem.OpenMode.READ_WRITE);
    MappedRegion region;
    try {
      region = file.map(0, bytes);
    } catch (DiskException | RuntimeException e) {
      file.close();
      throw e;
    }
    Shape shape = new Shape(SegmentLayout.salt(context.storeId(), id), bytes);
    return new Segment(id, path, file, region, shape);
  }

  long id() {
    return id;
  }

  Path path() {
    return path;
  }

  /** Copies bytes to where they belong; they are in the kernel afterwards. */
  void put(int at, byte[] source, int offset, int length) throws DiskException {
    if (at < calledBelow) {
      file.write(at, source, offset, length);
    } else {
      region.put(at, source, offset, length);
    }
  }

  /** See {@link MappedRegion#prefault}. */
  void prefault() throws DiskException {
    region.prefault();
  }

  /** Whether any of it was forced while it was appended to. */
  boolean wasForced() {
    return calledBelow > 0;
  }

  /** Makes all bytes up to a position durable; only for the leader of a force. */
  void force(int end) throws DiskException {
    if (end > forced) {
      region.force(forced, end - forced);
      forced = end;
      int page = Math.min(PAGE_BYTES, bytes / LEAST_PAGES);
      calledBelow = (end / page + 1) * page;
    }
  }

  /**
   * Makes all bytes durable of a segment that is sealed; only for the leader of a force. It is
   * unmapped first: before the system writes a mapped page back it has every processor forget that
   * it was writable, one page after the other, which took nine tenths of the force.
   */
  void forceSealed() throws DiskException {
    assert sealed : path;
    if (position > forced) {
      region.close();
      file.force();
      forced = position;
    }
  }

  /** What the checksums of its records are xor-ed with. */
  int salt() {
    return salt;
  }

  /** Size of the file. */
  int bytes() {
    return bytes;
  }

  /** Where a record must end at the latest, so that a seal fits behind it. */
  int limit() {
    return bytes - RecordLayout.SEAL_BYTES;
  }

  /** Unmaps and closes the file. */
  void close() {
    region.close();
    file.close();
  }
}
