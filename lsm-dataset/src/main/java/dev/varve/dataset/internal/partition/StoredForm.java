package dev.varve.dataset.internal.partition;

import dev.varve.common.bytes.Slice;
import dev.varve.common.env.FileSystem;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.dataset.internal.catalog.PartitionDescriptor;
import dev.varve.dataset.internal.value.LargeValues;
import dev.varve.dataset.internal.value.LoggedValues;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a value or record is stored as: one with a life has its end behind it, and instead of a
 * large value its reference stands. Log, memory, disk, saved versions and undo know nothing of
 * both; whoever reads asks here last. Immutable, thread-safe.
 *
 * @param expiry null where everything stays until it is deleted
 * @param large null where all values are stored where their keys are
 */
record StoredForm(@Nullable Expiry expiry, @Nullable LargeValues large) {
  /** What is stored is what is shown. */
  static final StoredForm RAW = new StoredForm(null, null);

  /** That of a partition. */
  static StoredForm of(PartitionDescriptor partition, NodeContext node) {
    int leastBytes = partition.options().largeValueBytes();
    LargeValues.Place place = placeOf(partition, node.indexes().files(), node.catalog().storeId());
    return new StoredForm(
        Expiry.of(partition.dataset(), node.clock()),
        leastBytes == 0
            ? null
            : new LargeValues(
                place,
                leastBytes,
                partition.options().memoryBytes(),
                node.environment().unforced()));
  }

  private static LargeValues.Place placeOf(
      PartitionDescriptor partition, FileSystem files, long storeId) {
    return new LargeValues.Place(files, partition.indexDirectory(0), storeId, partition.indexId(0));
  }

  /** Where the end of the log may refer to values of a partition, which is not open. */
  static void addTo(
      LoggedValues logged, PartitionDescriptor partition, FileSystem files, long storeId)
      throws StorageException {
    if (partition.options().largeValueBytes() > 0) {
      logged.add(placeOf(partition, files, storeId), Expiry.stampBytes(partition.options()));
    }
  }

  /** The same for a reader who looks at no values. */
  StoredForm ofKeys() {
    return new StoredForm(expiry, null);
  }

  /** Whether what is stored is what was put. */
  boolean isPlain(Entry stored) {
    return expiry == null && (large == null || !LargeValues.isReference(stored.value()));
  }

  /** Wall-clock time in milliseconds, where it matters. */
  long now() {
    Expiry ends = expiry;
    return ends == null ? 0 : ends.now();
  }

  /** What a reader sees of something that is stored. */
  enum Sight {
    /** What was put. */
    SHOWN,
    /** Nothing: there is none, or it has come to its end. */
    NOTHING,
    /** It was replaced since it was found, and has to be looked up again. */
    REPLACED
  }

  /**
   * What a reader sees of something that is stored.
   *
   * @param found shows what was put when the result is {@code SHOWN}
   */
  Sight show(Entry found, long atMillis) throws StorageException {
    Expiry ends = expiry;
    if (ends != null && !ends.shows(found, atMillis)) {
      return Sight.NOTHING;
    }
    LargeValues apart = large;
    return apart == null
            || !LargeValues.isReference(found.value())
            || apart.read(found.value(), found.value())
        ? Sight.SHOWN
        : Sight.REPLACED;
  }

  /** The same where nobody can have replaced it. */
  boolean shows(Entry found, long atMillis) throws StorageException {
    Sight sight = show(found, atMillis);
    if (sight == Sight.REPLACED) {
      throw missing(found);
    }
    return sight == Sight.SHOWN;
  }

  /** What it is when another look finds the same to be replaced. */
  CorruptionException missing(Entry found) {
    return Objects.requireNonNull(large).missing(found.value());
  }

  /** Finds the files of large values. */
  void open() throws StorageException {
    LargeValues apart = large;
    if (apart != null) {
      apart.open();
    }
  }

  /** Closes the files of large values. */
  void close() {
    LargeValues apart = large;
    if (apart != null) {
      apart.close();
    }
  }

  /** Deletes all large values. */
  void clear() {
    LargeValues apart = large;
    if (apart != null) {
      apart.clear();
    }
  }

  /** Bytes from which on a value may be stored in another form; 0 when all are. */
  int largeFrom() {
    LargeValues apart = large;
    return expiry != null ? 0 : apart == null ? Integer.MAX_VALUE : apart.leastBytes();
  }

  /** Bytes that a new value takes in log and memory. */
  int storedBytes(Slice value) {
    LargeValues apart = large;
    return apart == null ? value.length() : apart.storedBytes(value);
  }

  /** The value in which a new one is stored; in a buffer of the target, unless it is the same. */
  Slice stored(Slice value, Slice target) throws StorageException {
    Expiry ends = expiry;
    LargeValues apart = large;
    Slice form = apart != null && apart.takes(value) ? apart.put(value) : value;
    return ends == null ? form : ends.stored(form, target);
  }
}
