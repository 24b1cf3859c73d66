package dev.varve.dataset.internal.partition;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.env.Clock;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.dataset.internal.catalog.DatasetDescriptor;
import dev.varve.dataset.kind.RecordTime;
import dev.varve.dataset.model.FieldPath;
import dev.varve.dataset.model.RecordLimits;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.TimeToLive;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The end of the life of what a store with a {@link TimeToLive} holds. Behind a value or record
 * that lives from when it was written stand eight bytes that say when it ends, in all that is
 * stored and logged; one whose life begins with a field has the bytes that it was given. Whoever
 * reads asks here last, so that log, memory, disk, saved versions and undo know nothing of it.
 * Thread-safe.
 */
final class Expiry {
  private static final int STAMP_BYTES = Long.BYTES;

  /** Before each value of a store with an operator. */
  private static final int FRAME_BYTES = 1;

  /** When something that lives for ever ends. */
  private static final long NEVER = Long.MAX_VALUE;

  private final Clock clock;
  private final String store;
  private final long lifeMillis;

  /** Null where eight bytes behind what is stored say when it ends. */
  private final @Nullable FieldPath field;

  /** Whether what ends may have entries in other indexes. */
  private final boolean records;

  /** Deletes records that a merge has met at their end. */
  private volatile Consumer<Slice> deleter = key -> {};

  private Expiry(Clock clock, DatasetDescriptor store, TimeToLive timeToLive) {
    this.clock = clock;
    this.store = store.options().name();
    this.records = store.kind() == DatasetDescriptor.Kind.RECORDS;
    this.lifeMillis = timeToLive.life().toMillis();
    this.field = timeToLive.field().orElse(null);
  }

  /** That of a store; null where everything stays until it is deleted. */
  static @Nullable Expiry of(DatasetDescriptor store, Clock clock) {
    return store.options().timeToLive().map(life -> new Expiry(clock, store, life)).orElse(null);
  }

  /** How many bytes stand behind each value or record of a store. */
  static int stampBytes(DatasetOptions store) {
    return store.timeToLive().filter(life -> life.field().isEmpty()).isPresent() ? STAMP_BYTES : 0;
  }

  /** Bounds on what is put into a store: what it is stored with has to keep those of the node. */
  static RecordLimits limits(DatasetDescriptor store, RecordLimits node) {
    int frame = store.kind().operator() == null ? 0 : FRAME_BYTES;
    int most = Math.max(1, node.maxRecordBytes() - stampBytes(store.options()) - frame);
    return new RecordLimits(most, node.maxDepth(), node.maxNumberCharacters(), node.maxKeyBytes());
  }

  /** Says who deletes records that a merge meets at their end. */
  void deleteBy(Consumer<Slice> newDeleter) {
    deleter = newDeleter;
  }

  /**
   * A merge has met something at its end.
   *
   * @return whether it goes with the merge; a record stays until it is deleted from all indexes
   */
  boolean goesAt(Slice key) {
    if (!records) {
      return true;
    }
    deleter.accept(key);
    return false;
  }

  /** Wall-clock time, in milliseconds. */
  long now() {
    return clock.currentTimeMillis();
  }

  /** Whether what is stored has come to its end. */
  boolean isExpired(Entry stored, long atMillis) throws StorageException {
    return endOf(stored) <= atMillis;
  }

  private long endOf(Entry stored) throws StorageException {
    Slice value = stored.value();
    FieldPath path = field;
    if (path == null) {
      if (value.length() < STAMP_BYTES) {
        throw corrupt(stored, "stored without the end of its life");
      }
      return Bytes.getLong(value.bytes(), value.offset() + value.length() - STAMP_BYTES);
    }
    try {
      OptionalLong begin = RecordTime.millis(value, path);
      return begin.isEmpty() ? NEVER : plus(begin.getAsLong());
    } catch (RequestException noRecord) {
      throw corrupt(stored, String.valueOf(noRecord.getMessage()));
    }
  }

  private CorruptionException corrupt(Entry stored, String reason) {
    return new CorruptionException("'" + store + "'", -1, "key " + stored.key() + ": " + reason);
  }

  private long plus(long beginMillis) {
    return beginMillis > NEVER - lifeMillis ? NEVER : beginMillis + lifeMillis;
  }

  /**
   * What a reader sees of something that is stored: nothing at its end, and before that what was
   * put.
   *
   * @param found shows what was put when the result is true
   */
  boolean shows(Entry found, long atMillis) throws StorageException {
    boolean shown = !isExpired(found, atMillis);
    if (shown && field == null) {
      Slice value = found.value();
      value.set(value.bytes(), value.offset(), value.length() - STAMP_BYTES);
    }
    return shown;
  }

  /** The value in which a new one is stored; in a buffer of the target, unless it is the same. */
  Slice stored(Slice value, Slice target) {
    if (field != null) {
      return value;
    }
    byte[] stamped = new byte[value.length() + STAMP_BYTES];
    System.arraycopy(value.bytes(), value.offset(), stamped, 0, value.length());
    long end = plus(now());
    assert end > 0 : "what ends before 1970";
    Bytes.putLong(stamped, value.length(), end);
    return target.set(stamped, 0, stamped.length);
  }
}
