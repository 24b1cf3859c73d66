package dev.varve.ycsb;

import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.KeyValue;
import dev.varve.dataset.KeyValueSession;
import dev.varve.dataset.KeyValueStore;
import dev.varve.dataset.KeyValueTransaction;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.model.WriteOutcome;
import dev.varve.ycsb.BindingOptions.Insert;
import dev.varve.ycsb.BindingOptions.Update;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.workloads.CoreWorkload;

/**
 * YCSB's client of a Varve store in its own process: {@code -db dev.varve.ycsb.VarveClient -p
 * varve.dir=...}. A table is a key-value store, a key its bytes in UTF-8. Every write is
 * acknowledged at the durability of {@code varve.durability} before the call returns. Confined to
 * one of YCSB's threads.
 *
 * <p>Properties, beside {@code varve.dir}, the directory:
 *
 * <ul>
 *   <li>{@code varve.cacheBytes} and {@code varve.memoryBytes}, as the engine's options of these
 *       names
 *   <li>{@code varve.durability}: {@code none}, {@code process-crash} or {@code power-loss}
 *   <li>{@code varve.policy}, {@code varve.gate} and {@code varve.tuner}, as these are written, of
 *       tables that are not there yet and of the engine; {@code varve.ioBytesPerSecond}, which some
 *       tuners need
 *   <li>{@code varve.insert}: {@code blind}, the default, puts a record whatever is there; {@code
 *       unique} refuses a key that is there with the status {@code DUPLICATE_KEY}
 *   <li>{@code varve.update}: {@code merge} reads a record and changes the fields that come, under
 *       the record's lock; {@code blind} puts the fields that come, and is the default where {@code
 *       writeallfields} says that these are all
 * </ul>
 *
 * <p>Whatever is refused has the reason as its status, so that YCSB's summary counts it by reason;
 * the first of each client is logged with its message.
 */
public final class VarveClient extends DB {
  private static final Logger LOGGER = LogManager.getLogger(VarveClient.class);

  /** A table as this client has it open. */
  private record Table(KeyValueStore store, KeyValueSession session) {}

  /** An operation on a table. */
  private interface Operation {
    Status run(Table table) throws StorageException;
  }

  private final Map<String, Table> tables = new HashMap<>();
  private final KeyValue found = new KeyValue();
  private final Fields fields = new Fields();
  private @Nullable BindingOptions options;
  private @Nullable SharedEngine engine;
  private boolean refused;

  /** A client that {@link #init} makes usable. */
  public VarveClient() {}

  @Override
  public void init() throws DBException {
    try {
      BindingOptions read = BindingOptions.of(getProperties());
      engine = SharedEngine.acquire(read);
      options = read;
    } catch (IllegalArgumentException | StorageException e) {
      throw new DBException(e.getMessage(), e);
    }
    try {
      // Not by the first operation: what was compiled of an earlier client's, which found its table
      // open, would be thrown away.
      table(
          getProperties()
              .getProperty(
                  CoreWorkload.TABLENAME_PROPERTY, CoreWorkload.TABLENAME_PROPERTY_DEFAULT));
    } catch (StorageException e) {
      cleanup();
      throw new DBException(e.getMessage(), e);
    }
  }

  @Override
  public void cleanup() throws DBException {
    SharedEngine acquired = engine;
    if (acquired == null) {
      return;
    }
    engine = null;
    try {
      try {
        for (Table table : tables.values()) {
          table.session().close();
        }
      } finally {
        acquired.release();
      }
    } catch (StorageException e) {
      throw new DBException(e.getMessage(), e);
    }
  }

  @Override
  public Status read(
      String table, String key, @Nullable Set<String> fields, Map<String, ByteIterator> result) {
    return on(
        table,
        opened -> {
          // The result has views of it.
          KeyValue read = new KeyValue();
          if (!opened.store().get(utf8(key), read)) {
            return Status.NOT_FOUND;
          }
          this.fields.decode(read.value(), fields, result);
          return Status.OK;
        });
  }

  @Override
  @SuppressWarnings({"JdkObsolete", "NonApiType"}) // YCSB's signature
  public Status scan(
      String table,
      String startKey,
      int recordCount,
      @Nullable Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    return on(
        table,
        opened -> {
          KeyRange range = KeyRange.atLeast(utf8(startKey).toByteArray());
          try (RecordCursor cursor = opened.store().scan(range)) {
            while (result.size() < recordCount && cursor.next()) {
              HashMap<String, ByteIterator> row = new HashMap<>();
              this.fields.decode(new Slice(cursor.value().toByteArray()), fields, row);
              result.add(row);
            }
          }
          return Status.OK;
        });
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    return on(
        table,
        opened -> {
          Slice value = new Slice(Fields.encode(values));
          if (options().insert() == Insert.UNIQUE) {
            opened.session().insert(utf8(key), value);
          } else {
            opened.session().put(utf8(key), value);
          }
          opened.session().force();
          return Status.OK;
        });
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    return on(
        table,
        opened -> {
          if (options().update() == Update.MERGE) {
            return merge(opened.store(), utf8(key), values);
          }
          opened.session().put(utf8(key), new Slice(Fields.encode(values)));
          opened.session().force();
          return Status.OK;
        });
  }

  private Status merge(KeyValueStore store, Slice key, Map<String, ByteIterator> values)
      throws StorageException {
    try (KeyValueTransaction transaction = store.beginTransaction()) {
      if (!transaction.getForUpdate(key, found)) {
        return Status.NOT_FOUND;
      }
      transaction.upsert(key, fields.merge(found.value(), values));
      transaction.commit();
      return Status.OK;
    }
  }

  @Override
  public Status delete(String table, String key) {
    return on(
        table,
        opened -> {
          WriteOutcome outcome = opened.session().delete(utf8(key));
          opened.session().force();
          return outcome == WriteOutcome.ABSENT ? Status.NOT_FOUND : Status.OK;
        });
  }

  private BindingOptions options() {
    BindingOptions read = options;
    if (read == null) {
      throw new IllegalStateException("the client was not initialised");
    }
    return read;
  }

  private Status on(String name, Operation operation) {
    try {
      return operation.run(table(name));
    } catch (StorageException e) {
      if (!refused) {
        refused = true;
        LOGGER.error(
            "{}; further refusals of this client show in YCSB's counts only", e.toString());
      }
      return status(e);
    }
  }

  private static Status status(StorageException refusal) {
    if (!(refusal instanceof ConflictException conflict)) {
      String name = refusal.getClass().getSimpleName().replace("Exception", "");
      return new Status(name.toUpperCase(Locale.ROOT), refusal.getMessage());
    }
    return conflict.reason() == ConflictException.Reason.STALLED
        ? Status.SERVICE_UNAVAILABLE
        : new Status(conflict.reason().name(), refusal.getMessage());
  }

  @SuppressWarnings("MustBeClosedChecker") // closed in cleanup
  private Table table(String name) throws StorageException {
    Table table = tables.get(name);
    if (table == null) {
      SharedEngine acquired = engine;
      if (acquired == null) {
        throw new IllegalStateException("the client was not initialised, or has been cleaned up");
      }
      KeyValueStore store = acquired.table(name, options());
      table = new Table(store, store.openSession());
      tables.put(name, table);
    }
    return table;
  }

  private static Slice utf8(String key) {
    return new Slice(key.getBytes(StandardCharsets.UTF_8));
  }
}
