package dev.varve.hyracks.feed;

import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.KeyDecoder;
import dev.varve.common.bytes.KeyEncoder;
import dev.varve.common.bytes.KeyType;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.KeyValueSession;
import dev.varve.dataset.KeyValueStore;
import dev.varve.dataset.StorageEngine;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.options.KeyValueOptions;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How far a named feed has come on one partition, in a key-value store of the node's engine. A
 * position goes into the log behind the records that it speaks of, and one force makes both
 * durable: whatever is left of the log after a crash, no position is there without its records. A
 * record may be there without its position, and is then written again.
 *
 * <p>Confined to the task that writes the partition.
 */
public final class FeedLedger {
  /** The store; its keys are dataset, number of the dataset, feed, partition and input. */
  static final String STORE = "varve/feeds";

  /** The rejects; its keys have the number of the reject in its input and partition behind. */
  static final String REJECTS = "varve/rejects";

  /** So many characters of a reject, and of why it is one, are kept. */
  public static final int MOST_CHARACTERS = 1_000;

  /** So many rejects are kept of an input in a partition; more are counted only. */
  public static final int MOST_REJECTS = 10_000;

  private static final long MEMORY_BYTES = 1 << 20;

  private final KeyValueStore store;
  private final KeyValueStore rejectStore;
  private final List<Kept> rejects = new ArrayList<>();
  private final byte[] prefix;
  private final int partition;
  private final Map<String, Input> inputs = new TreeMap<>();

  /** A reject that is to be put. */
  private record Kept(Slice key, Slice value) {}

  /** One input; only what {@link FeedLedger#commit} has put is durable. */
  public static final class Input {
    private final String name;
    private final Map<RefusalReason, Long> refused = new EnumMap<>(RefusalReason.class);
    private long records;
    private long offset = FeedPosition.NO_OFFSET;
    private long stored;
    private long recordsPut;
    private boolean changed;

    private Input(String name) {
      this.name = name;
    }

    private Input(FeedPosition position) {
      this.name = position.input();
      this.records = position.records();
      this.recordsPut = records;
      this.offset = position.offset();
      this.stored = position.stored();
      this.refused.putAll(position.refused());
    }

    /** Name of the input. */
    public String name() {
      return name;
    }

    /** Whether a record was dealt with before; one that has no number never was. */
    public boolean isPast(long record) {
      return record > 0 && record <= records;
    }

    /**
     * Moves behind a record, which has no number where the input can't be read again.
     *
     * @param end how many bytes of the input end with it; below zero if nobody knows
     */
    public void pass(long record, long end) {
      assert record >= 0 : record + " of " + name;
      if (record > records) {
        records = record;
        offset = end;
      }
    }

    /** Counts a record that was written. */
    public void countStored() {
      stored++;
      changed = true;
    }

    private long refusals() {
      return refused.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  private FeedLedger(KeyValueStore store, KeyValueStore rejectStore, byte[] prefix, int partition) {
    this.store = store;
    this.rejectStore = rejectStore;
    this.prefix = prefix;
    this.partition = partition;
  }

  /** The ledger of a partition, as it was committed last. */
  public static FeedLedger open(StorageEngine engine, FeedName feed, int partition)
      throws StorageException {
    byte[] prefix = feed.key(engine).addLong(partition).toSlice().toByteArray();
    FeedLedger ledger =
        new FeedLedger(openStore(engine, STORE), openStore(engine, REJECTS), prefix, partition);
    for (FeedPosition position : read(ledger.store, prefix)) {
      ledger.inputs.put(position.input(), new Input(position));
    }
    return ledger;
  }

  private static KeyValueStore openStore(StorageEngine engine, String name)
      throws StorageException {
    try {
      return engine.openKeyValueStore(name, KeyValueOptions.DEFAULTS.withMemoryBytes(MEMORY_BYTES));
    } catch (ConflictException made) {
      if (made.reason() != ConflictException.Reason.NAME_EXISTS) {
        throw made;
      }
      return engine.keyValueStore(name);
    }
  }

  /**
   * Copies the positions and rejects of a partition to the node that is to hold it, durably; what
   * is there of them is replaced.
   *
   * @param to has the datasets that the first has
   */
  public static void copy(StorageEngine from, StorageEngine to, int partition)
      throws StorageException {
    for (String name : List.of(STORE, REJECTS)) {
      List<Kept> pairs = pairs(from, name, partition);
      if (!pairs.isEmpty()) {
        try (KeyValueSession session = openStore(to, name).openSession()) {
          for (Kept pair : pairs) {
            session.put(keyOn(to, pair.key()), pair.value());
          }
          session.force();
        }
      }
    }
  }

  /** Forgets the positions and rejects of a partition, durably. */
  public static void forget(StorageEngine engine, int partition) throws StorageException {
    for (String name : List.of(STORE, REJECTS)) {
      List<Kept> pairs = pairs(engine, name, partition);
      if (!pairs.isEmpty()) {
        try (KeyValueSession session = openStore(engine, name).openSession()) {
          for (Kept pair : pairs) {
            session.delete(pair.key());
          }
          session.force();
        }
      }
    }
  }

  /** What a store keeps of a partition of the datasets that there are. */
  private static List<Kept> pairs(StorageEngine engine, String name, int partition)
      throws StorageException {
    List<Kept> pairs = new ArrayList<>();
    if (engine.names().contains(name)) {
      try (RecordCursor cursor = engine.keyValueStore(name).scan(KeyRange.all())) {
        while (cursor.next()) {
          KeyDecoder fields = new KeyDecoder().reset(cursor.key());
          String dataset = fields.readString();
          long number = fields.readLong();
          fields.skip();
          if (fields.readLong() == partition
              && engine.names().contains(dataset)
              && engine.dataset(dataset).number() == number) {
            pairs.add(
                new Kept(
                    new Slice(cursor.key().toByteArray()),
                    new Slice(cursor.value().toByteArray())));
          }
        }
      }
    }
    return pairs;
  }

  /** The same key with the number that the dataset has in another engine. */
  private static Slice keyOn(StorageEngine other, Slice key) throws StorageException {
    KeyDecoder fields = new KeyDecoder().reset(key);
    String dataset = fields.readString();
    KeyEncoder before = new KeyEncoder().addString(dataset).addLong(fields.readLong());
    int rest = before.toSlice().length();
    Slice behind = new Slice(key.bytes(), key.offset() + rest, key.length() - rest);
    return new KeyEncoder()
        .addString(dataset)
        .addLong(other.dataset(dataset).number())
        .addEncoded(behind)
        .toSlice();
  }

  /** The positions of a feed on all partitions of a node. */
  public static List<FeedPosition> read(StorageEngine engine, FeedName feed)
      throws StorageException {
    return engine.names().contains(STORE)
        ? read(engine.keyValueStore(STORE), feed.key(engine).toSlice().toByteArray())
        : List.of();
  }

  private static List<FeedPosition> read(KeyValueStore store, byte[] prefix)
      throws StorageException {
    List<FeedPosition> positions = new ArrayList<>();
    try (RecordCursor cursor = store.scan(KeyRange.prefix(prefix))) {
      while (cursor.next()) {
        positions.add(position(cursor.key(), cursor.value()));
      }
    }
    return positions;
  }

  /** Reads a pair of the store. */
  static FeedPosition position(Slice key, Slice value) {
    KeyDecoder fields = new KeyDecoder().reset(key);
    for (int skipped = 0; skipped < FeedName.KEY_FIELDS; skipped++) {
      fields.skip();
    }
    int partition = (int) fields.readLong();
    String input = fields.readString();
    KeyDecoder values = new KeyDecoder().reset(value);
    long records = values.readLong();
    long stored = values.readLong();
    // An offset is not there in what was put before there were any.
    boolean hasOffset = values.hasNext() && values.type() == KeyType.NUMBER;
    long offset = hasOffset ? values.readLong() : FeedPosition.NO_OFFSET;
    Map<RefusalReason, Long> refused = new EnumMap<>(RefusalReason.class);
    while (values.hasNext()) {
      refused.put(RefusalReason.valueOf(values.readString()), values.readLong());
    }
    return new FeedPosition(input, partition, records, offset, stored, refused);
  }

  /** The rejects of a feed on all partitions of a node that are kept. */
  public static List<FeedReject> rejects(StorageEngine engine, FeedName feed)
      throws StorageException {
    List<FeedReject> rejects = new ArrayList<>();
    if (engine.names().contains(REJECTS)) {
      KeyRange range = KeyRange.prefix(feed.key(engine).toSlice().toByteArray());
      try (RecordCursor cursor = engine.keyValueStore(REJECTS).scan(range)) {
        while (cursor.next()) {
          rejects.add(FeedReject.read(cursor.value()));
        }
      }
    }
    return rejects;
  }

  /** Counts a record that was left out, and keeps it while there are not too many. */
  public void refuse(Input input, FeedReject reject) {
    input.refused.merge(reject.reason(), 1L, Long::sum);
    input.changed = true;
    long number = input.refusals();
    assert number > 0 : reject;
    if (number <= MOST_REJECTS) {
      KeyEncoder key = new KeyEncoder().addEncoded(new Slice(key(input))).addLong(number);
      rejects.add(new Kept(key.toSlice(), reject.shortened().encode()));
    }
  }

  /** An input by its name. */
  public Input input(String name) {
    return inputs.computeIfAbsent(name, Input::new);
  }

  /**
   * Makes the counts and positions durable, and all that this thread has committed before.
   *
   * @param lag positions that have only moved on, past records of other partitions, are put from so
   *     many records on
   */
  public void commit(long lag) throws StorageException {
    try (KeyValueSession kept = rejectStore.openSession();
        KeyValueSession session = store.openSession()) {
      for (Kept reject : rejects) {
        kept.put(reject.key, reject.value);
      }
      for (Input input : inputs.values()) {
        if (input.changed || input.records - input.recordsPut >= lag) {
          session.put(key(input), value(input));
          input.changed = false;
          input.recordsPut = input.records;
        }
      }
      // Behind all of it in the log, so that this force makes all of it durable.
      session.force();
      kept.force();
      rejects.clear();
    }
    assert inputs.values().stream().noneMatch(input -> input.changed) : partition;
  }

  private byte[] key(Input input) {
    KeyEncoder key = new KeyEncoder().addEncoded(new Slice(prefix));
    return key.addString(input.name).toSlice().toByteArray();
  }

  private byte[] value(Input input) {
    return value(
        new FeedPosition(
            input.name, partition, input.records, input.offset, input.stored, input.refused));
  }

  /** The value that {@link #position} reads: docs/format/feeds.md. */
  static byte[] value(FeedPosition position) {
    KeyEncoder value =
        new KeyEncoder()
            .addLong(position.records())
            .addLong(position.stored())
            .addLong(position.offset());
    position.refused().forEach((reason, count) -> value.addString(reason.name()).addLong(count));
    return value.toSlice().toByteArray();
  }
}
