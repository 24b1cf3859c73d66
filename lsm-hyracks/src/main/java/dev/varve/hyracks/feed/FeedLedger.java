package dev.varve.hyracks.feed;

import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.KeyDecoder;
import dev.varve.common.bytes.KeyEncoder;
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

  private static final long MEMORY_BYTES = 1 << 20;

  private final KeyValueStore store;
  private final byte[] prefix;
  private final int partition;
  private final Map<String, Input> inputs = new TreeMap<>();

  /** One input; only what {@link FeedLedger#commit} has put is durable. */
  public static final class Input {
    private final String name;
    private final Map<RefusalReason, Long> refused = new EnumMap<>(RefusalReason.class);
    private long records;
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

    /** Moves behind a record, which has no number where the input can't be read again. */
    public void pass(long record) {
      assert record >= 0 : record + " of " + name;
      records = Math.max(records, record);
    }

    /** Counts a record that was written. */
    public void countStored() {
      stored++;
      changed = true;
    }

    /** Counts a record that was left out. */
    public void countRefused(RefusalReason reason) {
      refused.merge(reason, 1L, Long::sum);
      changed = true;
    }
  }

  private FeedLedger(KeyValueStore store, byte[] prefix, int partition) {
    this.store = store;
    this.prefix = prefix;
    this.partition = partition;
  }

  /** The ledger of a partition, as it was committed last. */
  public static FeedLedger open(StorageEngine engine, FeedName feed, int partition)
      throws StorageException {
    byte[] prefix = feed.key(engine).addLong(partition).toSlice().toByteArray();
    FeedLedger ledger = new FeedLedger(openStore(engine), prefix, partition);
    for (FeedPosition position : read(ledger.store, prefix)) {
      ledger.inputs.put(position.input(), new Input(position));
    }
    return ledger;
  }

  private static KeyValueStore openStore(StorageEngine engine) throws StorageException {
    try {
      return engine.openKeyValueStore(
          STORE, KeyValueOptions.DEFAULTS.withMemoryBytes(MEMORY_BYTES));
    } catch (ConflictException made) {
      if (made.reason() != ConflictException.Reason.NAME_EXISTS) {
        throw made;
      }
      return engine.keyValueStore(STORE);
    }
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

  private static FeedPosition position(Slice key, Slice value) {
    KeyDecoder fields = new KeyDecoder().reset(key);
    for (int skipped = 0; skipped < FeedName.KEY_FIELDS; skipped++) {
      fields.skip();
    }
    int partition = (int) fields.readLong();
    String input = fields.readString();
    KeyDecoder values = new KeyDecoder().reset(value);
    long records = values.readLong();
    long stored = values.readLong();
    Map<RefusalReason, Long> refused = new EnumMap<>(RefusalReason.class);
    while (values.hasNext()) {
      refused.put(RefusalReason.valueOf(values.readString()), values.readLong());
    }
    return new FeedPosition(input, partition, records, stored, refused);
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
    try (KeyValueSession session = store.openSession()) {
      for (Input input : inputs.values()) {
        if (input.changed || input.records - input.recordsPut >= lag) {
          session.put(key(input), value(input));
          input.changed = false;
          input.recordsPut = input.records;
        }
      }
      session.force();
    }
    assert inputs.values().stream().noneMatch(input -> input.changed) : partition;
  }

  private byte[] key(Input input) {
    KeyEncoder key = new KeyEncoder().addEncoded(new Slice(prefix));
    return key.addString(input.name).toSlice().toByteArray();
  }

  private static byte[] value(Input input) {
    KeyEncoder value = new KeyEncoder().addLong(input.records).addLong(input.stored);
    input.refused.forEach((reason, count) -> value.addString(reason.name()).addLong(count));
    return value.toSlice().toByteArray();
  }
}
