package dev.varve.ycsb;

import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.dataset.options.MergePolicyOptions;
import dev.varve.scheduler.admission.WriteGates;
import dev.varve.scheduler.service.MaintenanceOptions;
import dev.varve.scheduler.tuner.TunerText;
import dev.varve.transaction.log.Durability;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.function.Function;

/**
 * The properties of a YCSB run that begin with {@code varve.}, read and checked.
 *
 * @param engine of {@code varve.dir}, {@code varve.cacheBytes}, {@code varve.durability}, {@code
 *     varve.gate}, {@code varve.tuner} and {@code varve.ioBytesPerSecond}
 * @param store of {@code varve.memoryBytes} and {@code varve.policy}; counts for tables that are
 *     not there yet
 * @param insert of {@code varve.insert}
 * @param update of {@code varve.update}
 */
record BindingOptions(EngineOptions engine, KeyValueOptions store, Insert insert, Update update) {
  /** How a record is inserted. */
  enum Insert {
    /** A put, whatever was there: what YCSB's bindings of other stores do. */
    BLIND,
    /** Refused when the key is there. */
    UNIQUE
  }

  /** How a record is updated. */
  enum Update {
    /** A put of the fields that came: right when all of them come. */
    BLIND,
    /** The record is read and changed under its lock. */
    MERGE
  }

  private static final String PREFIX = "varve.";
  private static final List<String> NAMES =
      List.of(
          "dir",
          "cacheBytes",
          "memoryBytes",
          "durability",
          "insert",
          "update",
          "policy",
          "gate",
          "tuner",
          "ioBytesPerSecond");

  /**
   * Reads properties.
   *
   * @throws IllegalArgumentException with all that is wrong with them
   */
  static BindingOptions of(Properties properties) {
    List<String> problems = new ArrayList<>();
    for (String name : properties.stringPropertyNames()) {
      if (name.startsWith(PREFIX) && !NAMES.contains(name.substring(PREFIX.length()))) {
        problems.add(name + " is not known; there are varve." + String.join(", varve.", NAMES));
      }
    }
    String directory = properties.getProperty(PREFIX + "dir");
    if (directory == null) {
      problems.add("varve.dir is missing: the directory of the store");
      directory = "";
    }
    EngineOptions engine = EngineOptions.of(Path.of(directory));
    KeyValueOptions store = KeyValueOptions.DEFAULTS;
    Reader reader = new Reader(properties, problems);
    long cacheBytes = reader.read("cacheBytes", engine.components().cacheBytes(), Long::parseLong);
    long memoryBytes = reader.read("memoryBytes", store.memoryBytes(), Long::parseLong);
    Durability durability =
        reader.read(
            "durability", engine.sessions().durability(), text -> one(Durability.class, text));
    Insert insert = reader.read("insert", Insert.BLIND, text -> one(Insert.class, text));
    boolean whole = Boolean.parseBoolean(properties.getProperty("writeallfields"));
    Update update =
        reader.read("update", whole ? Update.BLIND : Update.MERGE, text -> one(Update.class, text));
    MergePolicyOptions policy = reader.read("policy", store.mergePolicy(), MergePolicyOptions::new);
    EngineOptions.Builder builder = EngineOptions.builder(Path.of(directory));
    reader.addMaintenance(builder);
    try {
      engine =
          builder
              .cacheBytes(cacheBytes)
              .activeDatasetBytes(memoryBytes > store.memoryBytes() ? memoryBytes : 0)
              .durability(durability)
              .build();
      store = store.withMemoryBytes(memoryBytes).withMergePolicy(policy);
    } catch (IllegalArgumentException e) {
      problems.add(e.getMessage());
    }
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", problems));
    }
    return new BindingOptions(engine, store, insert, update);
  }

  /** Reads properties and notes what is wrong. */
  private record Reader(Properties properties, List<String> problems) {
    /** How flushes and merges run, and what holds writers back. */
    void addMaintenance(EngineOptions.Builder builder) {
      MaintenanceOptions defaults = MaintenanceOptions.DEFAULTS;
      builder
          .writeGate(read("gate", defaults.writeGate(), WriteGates::parse))
          .tuner(read("tuner", defaults.tuner(), TunerText::parse))
          .ioBytesPerSecond(read("ioBytesPerSecond", defaults.ioBytesPerSecond(), Long::parseLong));
    }

    <T> T read(String name, T otherwise, Function<String, T> parse) {
      String text = properties.getProperty(PREFIX + name);
      if (text == null) {
        return otherwise;
      }
      try {
        return parse.apply(text);
      } catch (IllegalArgumentException e) {
        String why = e instanceof NumberFormatException ? "no number of bytes" : e.getMessage();
        problems.add(PREFIX + name + " " + text + " is " + why);
        return otherwise;
      }
    }
  }

  private static <E extends Enum<E>> E one(Class<E> type, String text) {
    List<String> names = new ArrayList<>();
    for (E each : type.getEnumConstants()) {
      String name = each.name().toLowerCase(Locale.ROOT).replace('_', '-');
      if (name.equals(text)) {
        return each;
      }
      names.add(name);
    }
    throw new IllegalArgumentException("none of " + String.join(", ", names));
  }
}
