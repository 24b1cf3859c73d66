package dev.varve.dataset;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.internal.partition.KeySorter;
import dev.varve.dataset.internal.partition.Partition;
import dev.varve.dataset.kind.RecordReader;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Loads an empty dataset from records in any order: they are sorted by their primary keys, and then
 * loaded as by a {@link RecordLoader}. A record that is none is refused, and the load goes on; of
 * several with one primary key the last counts. Each partition gets all of its records or none.
 * Confined to one thread; whoever opened it closes it.
 */
public final class SortingLoader implements AutoCloseable {
  private final List<Partition> partitions;
  private final RecordReader reader;
  private final RecordLoader loader;
  private final KeySorter sorter;
  private final Slice item = new Slice();
  private long taken;
  private long replaced;

  /** The item that may still be replaced by a later one; null before the first. */
  private byte @Nullable [] last;

  @SuppressWarnings("MustBeClosedChecker") // closed with this
  SortingLoader(ManagedDataset dataset, long sortBytes) throws StorageException {
    this.partitions = dataset.partitions();
    this.reader = partitions.get(0).lifecycle().newRecordReader();
    this.loader = new RecordLoader(partitions);
    this.sorter = dataset.newSorter(sortBytes);
  }

  /**
   * Adds a record; its bytes are copied.
   *
   * @throws RequestException when it is refused, and the load goes on without it: with {@code
   *     MALFORMED_RECORD}, or {@code WRONG_PARTITION} when its key belongs to another node
   * @throws LimitException when it is over a limit, and the load goes on without it
   */
  public void add(Slice record) throws StorageException {
    reader.read(record);
    Slice key = reader.primaryKey();
    partitions.get(partitions.get(0).partitionOf(key)).lifecycle().requireKey(key);
    sorter.add(item(key, record));
    taken++;
  }

  /** Adds a record; see {@link #add(Slice)}. */
  public void add(byte[] record) throws StorageException {
    add(new Slice(record));
  }

  /**
   * Key, number and record, and the length of the key behind: no encoded key is the beginning of
   * another, so that items are ordered by keys, and those of one key by their numbers.
   */
  private Slice item(Slice key, Slice record) {
    byte[] bytes = new byte[key.length() + Long.BYTES + record.length() + Integer.BYTES];
    System.arraycopy(key.bytes(), key.offset(), bytes, 0, key.length());
    Bytes.putLongBigEndian(bytes, key.length(), taken);
    System.arraycopy(
        record.bytes(), record.offset(), bytes, key.length() + Long.BYTES, record.length());
    Bytes.putInt(bytes, bytes.length - Integer.BYTES, key.length());
    return item.set(bytes, 0, bytes.length);
  }

  /**
   * Sorts and publishes everything durably, partition after partition.
   *
   * @return the number of records that the dataset has now
   */
  public long finish() throws StorageException {
    sorter.drainTo(this::take);
    loadLast();
    return loader.finish();
  }

  /** How many records gave way to a later one with the same key; known once it has finished. */
  public long replaced() {
    return replaced;
  }

  private void take(Slice sorted) throws StorageException {
    byte[] before = last;
    byte[] next = sorted.toByteArray();
    if (before != null && sameKey(before, next)) {
      replaced++;
    } else {
      loadLast();
    }
    last = next;
  }

  private void loadLast() throws StorageException {
    byte[] whole = last;
    if (whole != null) {
      int begin = keyLength(whole) + Long.BYTES;
      loader.add(new Slice(whole, begin, whole.length - Integer.BYTES - begin));
    }
    last = null;
  }

  private static int keyLength(byte[] item) {
    return Bytes.getInt(item, item.length - Integer.BYTES);
  }

  private static boolean sameKey(byte[] one, byte[] other) {
    return Arrays.equals(one, 0, keyLength(one), other, 0, keyLength(other));
  }

  /**
   * Without {@link #finish}: removes what was written, as {@link RecordLoader#close} does.
   * Idempotent.
   *
   * @throws StorageException when temporary files stay; they are deleted when the engine is opened
   *     again
   */
  @Override
  public void close() throws StorageException {
    try {
      loader.close();
    } finally {
      sorter.close();
    }
  }
}
