package dev.varve.transaction.log;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.Bytes;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.MappedRegion;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.FormatVersionException;
import dev.varve.common.error.StorageException;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * How far a log was forced, in a file beside its segments: the proof of the last force, which
 * nothing in the stream can be, since nothing was appended after it yet. A mark is put after the
 * force of the records has returned and before anybody is told; it is in the kernel then, and
 * survives the process. It is itself forced only now and then, so after a power loss it may be an
 * older one, which proves less and is as true. Used by one thread at a time: by the leader of a
 * force, or before there is one.
 */
final class ForceMarks implements AutoCloseable {
  /** Name of the file, in the directory of the log. */
  static final String NAME = "force-marks";

  private static final String UNFINISHED = "force-marks.unfinished";

  private final StorageFile file;
  private final MappedRegion region;
  private final long store;
  private final byte[] scratch = new byte[ForceMarkLayout.SLOT_BYTES];
  private int next;

  private ForceMarks(StorageFile file, MappedRegion region, long store) {
    this.file = file;
    this.region = region;
    this.store = store;
  }

  /** Where a log's marks lie. */
  static Path path(LogContext context) {
    return context.directory().resolve(NAME);
  }

  /**
   * The LSN below which a log was forced, as far as its marks know; empty when there are none.
   *
   * @throws CorruptionException when the file is not what was written; one damaged slot is not told
   *     from one that the death of the process cut short
   */
  static OptionalLong read(LogContext context) throws StorageException {
    Path path = path(context);
    if (!context.files().exists(path)) {
      return OptionalLong.empty();
    }
    byte[] bytes = new byte[ForceMarkLayout.BYTES];
    try (StorageFile file = context.files().open(path, FileSystem.OpenMode.READ_ONLY)) {
      if (file.size() != bytes.length || file.read(0, bytes, 0, bytes.length) < bytes.length) {
        throw new CorruptionException(
            path.toString(), -1, "force marks of " + file.size() + " bytes, not " + bytes.length);
      }
    }
    checkHeader(bytes, path.toString(), context.storeId());
    long durable = -1;
    for (int slot = 0; slot < ForceMarkLayout.SLOTS; slot++) {
      int at = ForceMarkLayout.slot(slot);
      int crc = ForceMarkLayout.slotCrc(bytes, at, ForceMarkLayout.salt(context.storeId(), slot));
      if (Bytes.getInt(bytes, at + ForceMarkLayout.SLOT_CRC) == crc) {
        durable = Math.max(durable, Bytes.getLong(bytes, at + ForceMarkLayout.SLOT_DURABLE_LSN));
      }
    }
    if (durable < 0) {
      throw new CorruptionException(
          path.toString(), ForceMarkLayout.slot(0), "no force mark whose checksum holds");
    }
    return OptionalLong.of(durable);
  }

  private static void checkHeader(byte[] bytes, String name, long store) throws StorageException {
    if (Bytes.getLong(bytes, ForceMarkLayout.MAGIC) != ForceMarkLayout.MAGIC_VALUE
        || Bytes.getInt(bytes, ForceMarkLayout.CRC) != ForceMarkLayout.crc(bytes)) {
      throw new CorruptionException(name, 0, "header of the force marks is damaged");
    }
    int version = Bytes.getInt(bytes, ForceMarkLayout.VERSION);
    if (version != ForceMarkLayout.VERSION_VALUE) {
      throw new FormatVersionException(name, version, ForceMarkLayout.VERSION_VALUE);
    }
    if (Bytes.getLong(bytes, ForceMarkLayout.STORE) != store) {
      throw new CorruptionException(
          name, ForceMarkLayout.STORE, "force marks of another store than " + store);
    }
    for (int i = ForceMarkLayout.STORE + Long.BYTES; i < bytes.length; i++) {
      boolean inSlot =
          i >= ForceMarkLayout.SLOT_DISTANCE
              && i % ForceMarkLayout.SLOT_DISTANCE < ForceMarkLayout.SLOT_BYTES;
      if (!inSlot && bytes[i] != 0) {
        throw new CorruptionException(name, i, "reserved byte is not zero");
      }
    }
  }

  /**
   * Replaces the marks of a log by new ones, durably, and opens them for more.
   *
   * @param durableLsn records below it are forced
   */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // The marks own file and region and close them.
  static ForceMarks replace(LogContext context, long durableLsn) throws StorageException {
    FileSystem files = context.files();
    Path unfinished = context.directory().resolve(UNFINISHED);
    if (files.exists(unfinished)) {
      files.delete(unfinished);
    }
    byte[] bytes = encode(context.storeId(), durableLsn);
    try (StorageFile file = files.open(unfinished, FileSystem.OpenMode.CREATE_NEW)) {
      file.write(0, bytes, 0, bytes.length);
      file.force();
    }
    Path path = path(context);
    files.rename(unfinished, path);
    files.forceDirectory(context.directory());
    StorageFile file = files.open(path, FileSystem.OpenMode.READ_WRITE);
    try {
      return new ForceMarks(file, file.map(0, ForceMarkLayout.BYTES), context.storeId());
    } catch (DiskException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /** The whole file, the same mark in both slots. */
  static byte[] encode(long store, long durableLsn) {
    byte[] bytes = new byte[ForceMarkLayout.BYTES];
    Bytes.putLong(bytes, ForceMarkLayout.MAGIC, ForceMarkLayout.MAGIC_VALUE);
    Bytes.putInt(bytes, ForceMarkLayout.VERSION, ForceMarkLayout.VERSION_VALUE);
    Bytes.putLong(bytes, ForceMarkLayout.STORE, store);
    Bytes.putInt(bytes, ForceMarkLayout.CRC, ForceMarkLayout.crc(bytes));
    for (int slot = 0; slot < ForceMarkLayout.SLOTS; slot++) {
      encodeSlot(bytes, ForceMarkLayout.slot(slot), ForceMarkLayout.salt(store, slot), durableLsn);
    }
    return bytes;
  }

  private static void encodeSlot(byte[] bytes, int at, int salt, long durableLsn) {
    Bytes.putLong(bytes, at + ForceMarkLayout.SLOT_DURABLE_LSN, durableLsn);
    int crc = ForceMarkLayout.slotCrc(bytes, at, salt);
    Bytes.putInt(bytes, at + ForceMarkLayout.SLOT_CRC, crc);
  }

  /** Says that all records below an LSN are forced; in the kernel when it returns. */
  void put(long durableLsn) throws DiskException {
    encodeSlot(scratch, 0, ForceMarkLayout.salt(store, next), durableLsn);
    region.put(ForceMarkLayout.slot(next), scratch, 0, scratch.length);
    next = (next + 1) % ForceMarkLayout.SLOTS;
  }

  /** Makes the last mark durable. */
  void force() throws DiskException {
    region.force(0, ForceMarkLayout.BYTES);
  }

  @Override
  public void close() {
    region.close();
    file.close();
  }
}
