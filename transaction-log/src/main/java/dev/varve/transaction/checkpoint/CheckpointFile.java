package dev.varve.transaction.checkpoint;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.FormatVersionException;
import dev.varve.common.error.StorageException;
import dev.varve.transaction.log.LogContext;
import dev.varve.transaction.log.LogPosition;
import dev.varve.transaction.log.TransactionLog;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads and replaces the checkpoint of a log. A new one is written beside the old, forced, and
 * renamed over it, so that there is always a whole one. Thread-safe for readers; one thread at a
 * time writes.
 */
public final class CheckpointFile {
  private static final String NAME = "checkpoint";
  private static final String UNFINISHED = "checkpoint.unfinished";

  private final FileSystem files;
  private final Path directory;
  private final Path path;
  private final long storeId;

  /** The checkpoint in a log's directory. */
  public CheckpointFile(LogContext context) {
    this.files = context.files();
    this.directory = context.directory();
    this.path = directory.resolve(NAME);
    this.storeId = context.storeId();
  }

  /** Where the checkpoint lies. */
  public Path path() {
    return path;
  }

  /** Reads the checkpoint; null when there is none. */
  public @Nullable Checkpoint read() throws StorageException {
    if (!files.exists(path)) {
      return null;
    }
    try (StorageFile file = files.open(path, FileSystem.OpenMode.READ_ONLY)) {
      long size = file.size();
      if (size < CheckpointLayout.BYTES || size > CheckpointLayout.MAX_BYTES) {
        throw corrupt(-1, "checkpoint of " + size + " bytes");
      }
      byte[] bytes = new byte[(int) size];
      if (file.read(0, bytes, 0, bytes.length) != bytes.length) {
        throw corrupt(-1, "the file became shorter");
      }
      return decode(bytes);
    }
  }

  /** Replaces the checkpoint; durable when this returns. */
  public void write(Checkpoint checkpoint) throws StorageException {
    byte[] bytes = encode(checkpoint);
    Path unfinished = directory.resolve(UNFINISHED);
    if (files.exists(unfinished)) {
      files.delete(unfinished);
    }
    try (StorageFile file = files.open(unfinished, FileSystem.OpenMode.CREATE_NEW)) {
      file.write(0, bytes, 0, bytes.length);
      file.force();
    }
    files.rename(unfinished, path);
    files.forceDirectory(directory);
  }

  /**
   * Replaces the checkpoint by one for a running or closing engine, and gives back what the log no
   * longer needs.
   *
   * @param lowWaterMark no record below this LSN is needed; one below the records that are kept
   *     counts as the oldest of these
   * @param newestFlushes by index, the newest flush on disk, read after the mark was taken
   */
  public void advance(
      Checkpoint.Kind kind,
      TransactionLog log,
      long lowWaterMark,
      long nextTransaction,
      SortedMap<Integer, Long> newestFlushes)
      throws StorageException {
    long mark = Math.max(lowWaterMark, log.startLsn());
    write(new Checkpoint(kind, mark, nextTransaction, log.position(mark), newestFlushes));
    log.release(mark);
  }

  private byte[] encode(Checkpoint checkpoint) {
    int indexes = checkpoint.newestFlushes().size();
    byte[] bytes = new byte[CheckpointLayout.BYTES + indexes * CheckpointLayout.INDEX_BYTES];
    LogPosition position = checkpoint.position();
    Bytes.putLong(bytes, CheckpointLayout.MAGIC, CheckpointLayout.MAGIC_VALUE);
    Bytes.putInt(bytes, CheckpointLayout.VERSION, CheckpointLayout.VERSION_VALUE);
    Bytes.putLong(bytes, CheckpointLayout.STORE, storeId);
    Bytes.putInt(bytes, CheckpointLayout.KIND, checkpoint.kind().code());
    Bytes.putLong(bytes, CheckpointLayout.LOW_WATER_MARK, checkpoint.lowWaterMark());
    Bytes.putLong(bytes, CheckpointLayout.NEXT_TRANSACTION, checkpoint.nextTransaction());
    Bytes.putLong(bytes, CheckpointLayout.SEGMENT, position.segment());
    Bytes.putLong(bytes, CheckpointLayout.FIRST_LSN, position.firstLsn());
    Bytes.putLong(bytes, CheckpointLayout.BOUNDARY_LSN, position.boundaryLsn());
    Bytes.putLong(bytes, CheckpointLayout.DURABLE_LSN, position.durableLsn());
    Bytes.putInt(bytes, CheckpointLayout.INDEXES, indexes);
    int at = CheckpointLayout.BYTES;
    for (Map.Entry<Integer, Long> index : checkpoint.newestFlushes().entrySet()) {
      Bytes.putInt(bytes, at + CheckpointLayout.INDEX_ID, index.getKey());
      Bytes.putLong(bytes, at + CheckpointLayout.INDEX_FLUSH, index.getValue());
      at += CheckpointLayout.INDEX_BYTES;
    }
    Bytes.putInt(bytes, CheckpointLayout.CRC, crc(bytes));
    return bytes;
  }

  private Checkpoint decode(byte[] bytes) throws StorageException {
    if (Bytes.getLong(bytes, CheckpointLayout.MAGIC) != CheckpointLayout.MAGIC_VALUE) {
      throw corrupt(CheckpointLayout.MAGIC, "not a checkpoint");
    }
    if (Bytes.getInt(bytes, CheckpointLayout.CRC) != crc(bytes)) {
      throw corrupt(CheckpointLayout.CRC, "checksum does not match");
    }
    int version = Bytes.getInt(bytes, CheckpointLayout.VERSION);
    if (version != CheckpointLayout.VERSION_VALUE) {
      throw new FormatVersionException(path.toString(), version, CheckpointLayout.VERSION_VALUE);
    }
    long store = Bytes.getLong(bytes, CheckpointLayout.STORE);
    if (store != storeId) {
      throw corrupt(
          CheckpointLayout.STORE, "checkpoint of store " + store + " in store " + storeId);
    }
    if (Bytes.getInt(bytes, CheckpointLayout.RESERVED) != 0
        || Bytes.getInt(bytes, CheckpointLayout.RESERVED_END) != 0
        || Bytes.getLong(bytes, CheckpointLayout.RESERVED_END + Integer.BYTES) != 0) {
      throw corrupt(CheckpointLayout.RESERVED, "reserved bytes are not zero");
    }
    int code = Bytes.getInt(bytes, CheckpointLayout.KIND);
    for (Checkpoint.Kind kind : Checkpoint.Kind.values()) {
      if (kind.code() == code) {
        return decode(kind, bytes);
      }
    }
    throw corrupt(CheckpointLayout.KIND, "unknown kind " + code);
  }

  private Checkpoint decode(Checkpoint.Kind kind, byte[] bytes) throws CorruptionException {
    try {
      LogPosition position =
          new LogPosition(
              Bytes.getLong(bytes, CheckpointLayout.SEGMENT),
              Bytes.getLong(bytes, CheckpointLayout.FIRST_LSN),
              Bytes.getLong(bytes, CheckpointLayout.BOUNDARY_LSN),
              Bytes.getLong(bytes, CheckpointLayout.DURABLE_LSN));
      return new Checkpoint(
          kind,
          Bytes.getLong(bytes, CheckpointLayout.LOW_WATER_MARK),
          Bytes.getLong(bytes, CheckpointLayout.NEXT_TRANSACTION),
          position,
          decodeFlushes(bytes));
    } catch (IllegalArgumentException e) {
      throw corrupt(CheckpointLayout.LOW_WATER_MARK, String.valueOf(e.getMessage()));
    }
  }

  private SortedMap<Integer, Long> decodeFlushes(byte[] bytes) throws CorruptionException {
    int indexes = Bytes.getInt(bytes, CheckpointLayout.INDEXES);
    long expected = CheckpointLayout.BYTES + (long) indexes * CheckpointLayout.INDEX_BYTES;
    if (bytes.length != expected) {
      throw corrupt(
          CheckpointLayout.INDEXES,
          "checkpoint of " + bytes.length + " bytes with " + indexes + " indexes");
    }
    TreeMap<Integer, Long> flushes = new TreeMap<>();
    for (int at = CheckpointLayout.BYTES; at < bytes.length; at += CheckpointLayout.INDEX_BYTES) {
      int index = Bytes.getInt(bytes, at + CheckpointLayout.INDEX_ID);
      long flush = Bytes.getLong(bytes, at + CheckpointLayout.INDEX_FLUSH);
      if (flush < 1 || (!flushes.isEmpty() && index <= flushes.lastKey())) {
        throw corrupt(at, "flush " + flush + " of index " + index + ", which is out of order");
      }
      flushes.put(index, flush);
    }
    return flushes;
  }

  private static int crc(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, CheckpointLayout.CRC);
    crc.update(bytes, CheckpointLayout.STORE, bytes.length - CheckpointLayout.STORE);
    return (int) crc.getValue();
  }

  private CorruptionException corrupt(long offset, String problem) {
    return new CorruptionException(path.toString(), offset, problem);
  }
}
