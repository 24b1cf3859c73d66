package dev.varve.dataset.internal.value;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Crc32c;
import dev.varve.common.bytes.Slice;
import dev.varve.common.disk.RefCounted;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.FormatVersionException;
import dev.varve.common.error.StorageException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A file of large values, one behind the other; docs/format/values.md has its bytes. It grows while
 * it is the newest of its store, and never changes in front. Its file is deleted when it was given
 * up and its last reader has let go. Thread-safe.
 */
final class ValueFile {
  private static final Logger LOGGER = LogManager.getLogger(ValueFile.class);
  private static final Pattern NAME = Pattern.compile("v-([0-9]{1,18})\\.values");

  /** {@code VARVEVAL} in ASCII, read as a little-endian number. */
  private static final long MAGIC = 0x4C41_5645_5652_4156L;

  private static final int VERSION = 1;
  private static final int VERSION_AT = 8;
  private static final int CRC_AT = 12;
  private static final int STORE_AT = 16;
  private static final int INDEX_AT = 24;
  private static final int RESERVED_AT = 28;
  private static final int NUMBER_AT = 32;
  static final int HEADER_BYTES = 40;

  private final FileSystem files;
  private final Path path;
  private final long number;
  private final Owner owner;
  private final AtomicInteger size;
  private final RefCounted users = new RefCounted(this::dispose);
  private final ReentrantLock openLock = new ReentrantLock();
  private volatile boolean givenUp;
  private volatile @Nullable StorageFile open;

  /** The force that failed: what was written before it may be lost, and is never forced again. */
  private volatile @Nullable DiskException unforceable;

  /**
   * Whose values they are.
   *
   * @param storeId of the store
   * @param indexId number of the primary index in the log
   */
  record Owner(long storeId, int indexId) {}

  private ValueFile(FileSystem files, Path path, Owner owner, int size) {
    this.files = files;
    this.path = path;
    this.number = numberOf(path);
    this.owner = owner;
    this.size = new AtomicInteger(size);
  }

  /** The number in a name of such a file; 0 for other names. */
  static long numberOf(Path path) {
    Matcher name = NAME.matcher(String.valueOf(path.getFileName()));
    return name.matches() ? Long.parseLong(name.group(1)) : 0;
  }

  static Path path(Path directory, long number) {
    return directory.resolve("v-" + number + ".values");
  }

  /** A file that is there, of which nothing is read yet. */
  static ValueFile found(FileSystem files, Path path, Owner owner) throws DiskException {
    return new ValueFile(files, path, owner, Math.toIntExact(files.size(path)));
  }

  /** Makes a file without values, whose name is durable when this returns. */
  @SuppressWarnings("MustBeClosedChecker") // closed by dispose
  static ValueFile create(FileSystem files, Path path, Owner owner) throws DiskException {
    ValueFile made = new ValueFile(files, path, owner, HEADER_BYTES);
    byte[] header = new byte[HEADER_BYTES];
    Bytes.putLong(header, 0, MAGIC);
    Bytes.putInt(header, VERSION_AT, VERSION);
    Bytes.putLong(header, STORE_AT, owner.storeId());
    Bytes.putInt(header, INDEX_AT, owner.indexId());
    Bytes.putLong(header, NUMBER_AT, made.number);
    Bytes.putInt(header, CRC_AT, checksum(header));
    StorageFile file = files.open(path, OpenMode.CREATE_NEW);
    made.open = file;
    try {
      file.write(0, header, 0, HEADER_BYTES);
      file.force();
      files.forceDirectory(Objects.requireNonNull(path.getParent()));
    } catch (DiskException failure) {
      made.giveUp();
      throw failure;
    }
    return made;
  }

  private static int checksum(byte[] header) {
    return new Crc32c()
        .update(header, 0, CRC_AT)
        .update(header, STORE_AT, HEADER_BYTES - STORE_AT)
        .value();
  }

  long number() {
    return number;
  }

  String name() {
    return path.toString();
  }

  /** Bytes of the file, header included, and what writers have taken of it. */
  int size() {
    return size.get();
  }

  /** Takes room behind all values; one caller at a time. */
  int take(int length) {
    return size.getAndAdd(length);
  }

  /** A reader begins; false when the file is gone. */
  boolean acquire() {
    return users.acquire();
  }

  /** The reader has ended. */
  void release() {
    users.release();
  }

  /** Writes a value into room that was taken. */
  void write(int offset, Slice value) throws StorageException {
    assert offset >= HEADER_BYTES && offset + value.length() <= size.get() : offset;
    opened().write(offset, value.bytes(), value.offset(), value.length());
  }

  /** Reads bytes; what is missing behind the end of the file is corruption. */
  void read(int offset, byte[] target, int length) throws StorageException {
    int found = opened().read(offset, target, 0, length);
    if (found < length) {
      throw new CorruptionException(
          name(), offset, "the file ends in a value of " + length + " bytes, after " + found);
    }
  }

  /** Makes durable what was written to a file that was created. */
  void force() throws DiskException {
    StorageFile written = Objects.requireNonNull(open, "nothing was written");
    DiskException before = unforceable;
    if (before != null) {
      throw new DiskException(name(), "force, which failed before, in", before);
    }
    try {
      written.force();
    } catch (DiskException failure) {
      unforceable = failure;
      throw failure;
    }
  }

  private StorageFile opened() throws StorageException {
    StorageFile there = open;
    return there == null ? openNow() : there;
  }

  @SuppressWarnings("MustBeClosedChecker") // closed by dispose
  private StorageFile openNow() throws StorageException {
    openLock.lock();
    try {
      StorageFile there = open;
      if (there == null) {
        there = files.open(path, OpenMode.READ_ONLY);
        boolean good = false;
        try {
          requireHeader(there);
          good = true;
        } finally {
          if (!good) {
            there.close();
          }
        }
        open = there;
      }
      return there;
    } finally {
      openLock.unlock();
    }
  }

  @GuardedBy("openLock")
  private void requireHeader(StorageFile file) throws StorageException {
    byte[] header = new byte[HEADER_BYTES];
    int read = file.read(0, header, 0, HEADER_BYTES);
    if (read < HEADER_BYTES
        || Bytes.getLong(header, 0) != MAGIC
        || Bytes.getInt(header, CRC_AT) != checksum(header)) {
      throw new CorruptionException(name(), 0, "it does not begin as a file of values does");
    }
    int version = Bytes.getInt(header, VERSION_AT);
    if (version != VERSION) {
      throw new FormatVersionException(name(), version, VERSION);
    }
    if (Bytes.getLong(header, STORE_AT) != owner.storeId()
        || Bytes.getInt(header, INDEX_AT) != owner.indexId()
        || Bytes.getInt(header, RESERVED_AT) != 0
        || Bytes.getLong(header, NUMBER_AT) != number) {
      throw new CorruptionException(
          name(), STORE_AT, "it is of another store or index, or has another's name");
    }
  }

  /** No new reader from now on, and no file when the last has let go. */
  void giveUp() {
    givenUp = true;
    users.release();
  }

  /** No new reader from now on; the file stays. */
  void close() {
    users.release();
  }

  private void dispose() {
    StorageFile there = open;
    if (there != null) {
      there.close();
    }
    if (givenUp) {
      try {
        files.delete(path);
      } catch (DiskException failure) {
        LOGGER.warn("values that nobody needs stay until the store is opened again", failure);
      }
    }
  }
}
