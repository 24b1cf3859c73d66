package dev.varve.dataset.internal.value;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.varve.common.bytes.Crc32c;
import dev.varve.common.bytes.Slice;
import dev.varve.common.env.FileSystem;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The large values of a key-value store. Each is written once, when it is put, behind the others of
 * the newest file; what goes the way of a value, through log, memory, flushes and merges, is a
 * reference of {@value ValueReference#BYTES} bytes. A value that an aborted or refused change has
 * left is garbage, as one that was replaced or deleted; {@link ValueReclaim} says what becomes of
 * it. Thread-safe.
 */
public final class LargeValues {
  /** Bytes of what is stored in the place of a value. */
  public static final int REFERENCE_BYTES = ValueReference.BYTES;

  /** Most bytes at which the next file is begun. */
  private static final int MAX_FILE_BYTES = 256 << 20;

  private final Place place;
  private final int leastBytes;
  private final int fileBytes;
  private final UnforcedValues unforced;
  private final ConcurrentSkipListMap<Long, ValueFile> all = new ConcurrentSkipListMap<>();

  /** From which file on those may have put values whose references nobody can see yet. */
  private final Map<Object, Long> holders = new ConcurrentHashMap<>();

  private final ReentrantLock appendLock = new ReentrantLock();

  @GuardedBy("appendLock")
  private @Nullable ValueFile newest;

  @GuardedBy("appendLock")
  private long nextNumber = 1;

  /** Bytes that were put since the store was opened. */
  private final AtomicLong putBytes = new AtomicLong();

  /** Bytes of files that were deleted since the store was opened. */
  private final AtomicLong deletedBytes = new AtomicLong();

  /**
   * Where the files of a store are.
   *
   * @param directory of its primary index
   * @param indexId number of that in the log
   */
  public record Place(FileSystem files, Path directory, long storeId, int indexId) {
    ValueFile.Owner owner() {
      return new ValueFile.Owner(storeId, indexId);
    }
  }

  /**
   * Those of a store that is not open.
   *
   * @param leastBytes bytes of the smallest value that is kept apart
   * @param fileBytes bytes of a file at which the next is begun, about
   * @param unforced those of the node
   */
  public LargeValues(Place place, int leastBytes, long fileBytes, UnforcedValues unforced) {
    assert leastBytes > ValueReference.BYTES : leastBytes;
    this.place = place;
    this.leastBytes = leastBytes;
    this.fileBytes = (int) Math.min(fileBytes, MAX_FILE_BYTES);
    this.unforced = unforced;
  }

  /** Finds the files that there are. */
  public void open() throws StorageException {
    appendLock.lock();
    try {
      assert all.isEmpty() : "open already";
      newest = null;
      for (Path path : place.files.list(place.directory)) {
        long number = ValueFile.numberOf(path);
        if (number > 0) {
          all.put(number, ValueFile.found(place.files, path, place.owner()));
        }
      }
      nextNumber = all.isEmpty() ? nextNumber : Math.max(nextNumber, all.lastKey() + 1);
    } finally {
      appendLock.unlock();
    }
  }

  /** Closes the files; nobody reads or puts any more. */
  public void close() {
    all.values().forEach(ValueFile::close);
    all.clear();
  }

  /** Deletes all files: what refers to them is void. */
  public void clear() {
    all.values().forEach(ValueFile::giveUp);
    all.clear();
  }

  /** Bytes of the smallest value that is kept apart for its length. */
  public int leastBytes() {
    return leastBytes;
  }

  /** Whether a value is kept apart. */
  public boolean takes(Slice value) {
    return value.length() >= leastBytes || ValueReference.is(value);
  }

  /** Bytes that a value takes in log and memory. */
  public int storedBytes(Slice value) {
    return takes(value) ? ValueReference.BYTES : value.length();
  }

  /** Whether what is stored is a reference to a value that is kept apart. */
  public static boolean isReference(Slice stored) {
    return ValueReference.is(stored);
  }

  /**
   * Writes a value, which no crash of the process takes back.
   *
   * @return its reference, to be stored in its place
   */
  public Slice put(Slice value) throws StorageException {
    int length = value.length();
    int checksum = Crc32c.of(value.bytes(), value.offset(), length);
    ValueFile file;
    int offset;
    appendLock.lock();
    try {
      file = newestWithRoom();
      offset = file.take(length);
      putBytes.addAndGet(length);
    } finally {
      appendLock.unlock();
    }
    file.write(offset, value);
    unforced.wrote(file);
    return new Slice(new ValueReference(file.number(), offset, length, checksum).toBytes());
  }

  @GuardedBy("appendLock")
  private ValueFile newestWithRoom() throws StorageException {
    ValueFile file = newest;
    if (file == null || file.size() >= fileBytes) {
      file =
          ValueFile.create(place.files, ValueFile.path(place.directory, nextNumber), place.owner());
      nextNumber++;
      all.put(file.number(), file);
      newest = file;
    }
    return file;
  }

  /**
   * Reads a value.
   *
   * @param reference what is stored in its place
   * @param target filled with the value; may be the reference's own
   * @return false when the file is gone, so that the reference was replaced
   * @throws CorruptionException when the value is damaged
   */
  public boolean read(Slice reference, Slice target) throws StorageException {
    ValueReference at = ValueReference.read(reference);
    ValueFile file = all.get(at.file());
    if (file == null || !file.acquire()) {
      return false;
    }
    try {
      requireInside(file, at);
      byte[] bytes = target.reserve(at.length());
      file.read(at.offset(), bytes, at.length());
      int found = Crc32c.of(bytes, 0, at.length());
      if (found != at.checksum()) {
        throw new CorruptionException(
            file.name(),
            at.offset(),
            String.format(
                "checksum of a value of %d bytes: %08x expected, %08x found",
                at.length(), at.checksum(), found));
      }
      return true;
    } finally {
      file.release();
    }
  }

  /** What it is when a reference to a file that is gone was not replaced. */
  public CorruptionException missing(Slice reference) {
    return new CorruptionException(
        ValueFile.path(place.directory, ValueReference.read(reference).file()).toString(),
        -1,
        "the file of values is missing, and the store has references to it");
  }

  private static void requireInside(ValueFile file, ValueReference at) throws CorruptionException {
    if (at.length() < 0
        || at.offset() < ValueFile.HEADER_BYTES
        || (long) at.offset() + at.length() > file.size()) {
      throw new CorruptionException(
          file.name(),
          at.offset(),
          "a reference to " + at.length() + " bytes, which are not in the file");
    }
  }

  /**
   * From now on, until {@link #letGo}, the files that are written to stay: references to what the
   * holder puts cannot be seen yet.
   */
  public void hold(Object holder) {
    appendLock.lock();
    try {
      ValueFile file = newest;
      holders.putIfAbsent(holder, file == null ? nextNumber : file.number());
    } finally {
      appendLock.unlock();
    }
  }

  /** All references of the holder can be seen, or never will be. */
  public void letGo(Object holder) {
    holders.remove(holder);
  }

  /** Bytes that were put since the store was opened. */
  public long putBytes() {
    return putBytes.get();
  }

  /** Bytes of a file at which the next is begun, about. */
  public int fileBytes() {
    return fileBytes;
  }

  /** Bytes of files that were deleted since the store was opened. */
  public long deletedBytes() {
    return deletedBytes.get();
  }

  /** How many files there are. */
  public int files() {
    return all.size();
  }

  boolean has(long number) {
    return all.containsKey(number);
  }

  /** Bytes of those of some files that are there. */
  public long bytes(Collection<Long> numbers) {
    return all.entrySet().stream()
        .filter(each -> numbers.contains(each.getKey()))
        .mapToLong(each -> each.getValue().size())
        .sum();
  }

  /** Bytes of all files. */
  public long bytes() {
    return all.values().stream().mapToLong(ValueFile::size).sum();
  }

  /**
   * Begins another file for what is put from now on.
   *
   * @return sizes of the files, by number, of which all references can be seen by a reader who
   *     begins now, or never will be
   */
  NavigableMap<Long, Integer> settled() {
    NavigableMap<Long, Integer> sizes = new TreeMap<>();
    appendLock.lock();
    try {
      newest = null;
      long below = holders.values().stream().mapToLong(each -> each).min().orElse(nextNumber);
      // A file without values is there to keep its number.
      all.headMap(below)
          .forEach(
              (number, file) -> {
                if (file.size() > ValueFile.HEADER_BYTES || !number.equals(all.lastKey())) {
                  sizes.put(number, file.size());
                }
              });
    } finally {
      appendLock.unlock();
    }
    return sizes;
  }

  /** Begins another file for what is put from now on, so that those there are stay as they are. */
  public void seal() {
    appendLock.lock();
    try {
      newest = null;
    } finally {
      appendLock.unlock();
    }
  }

  /** Deletes files, each when its last reader has let go. */
  public void delete(Collection<Long> numbers) throws StorageException {
    appendLock.lock();
    try {
      if (!all.isEmpty() && numbers.contains(all.lastKey())) {
        // The highest number stays in the directory, so that none is given twice.
        newest = null;
        newestWithRoom();
      }
    } finally {
      appendLock.unlock();
    }
    for (Long number : numbers) {
      ValueFile file = all.remove(number);
      if (file != null) {
        deletedBytes.addAndGet(file.size());
        file.giveUp();
      }
    }
  }
}
