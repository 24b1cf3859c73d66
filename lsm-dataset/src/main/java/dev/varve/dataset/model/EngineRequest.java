package dev.varve.dataset.model;

import dev.varve.btree.KeyRange;
import dev.varve.btree.bound.KeyBound;
import java.util.HexFormat;
import java.util.List;

/**
 * What another process asks an engine that runs to do.
 *
 * @param verb what
 * @param store name of the dataset or key-value store; empty for {@link Verb#LOOK}, and for {@link
 *     Verb#COMPACT} and {@link Verb#REPAIR_INDEXES} of all
 * @param argument what the verb says; empty where it says nothing
 */
public record EngineRequest(Verb verb, String store, String argument) {
  private static final String HEX = "0x";

  /** What can be asked. */
  public enum Verb {
    /** To make a checkpoint that the one who asks opens and reads, and that ends with it. */
    LOOK,
    /** To merge each index into one component. */
    COMPACT,
    /** To find what is obsolete in the indexes of datasets. */
    REPAIR_INDEXES,
    /** To add an index; the argument is its definition as text. */
    ADD_INDEX,
    /** To drop an index; the argument is its name. */
    DROP_INDEX,
    /**
     * To make a dataset, or a key-value store, where it is not there: the argument has the fields
     * of the primary key, the indexes and the number of partitions, in a line each; or nothing.
     */
    CREATE,
    /** To upsert records, or put pairs, that lie beside the request. */
    PUT,
    /**
     * To delete what lies in a range of keys: the argument has the first of them and the first
     * behind them, in a line each: in hexadecimal behind 0x, or nothing where there is no bound.
     */
    DELETE_RANGE
  }

  /** Asks for a checkpoint to read. */
  public static EngineRequest look() {
    return new EngineRequest(Verb.LOOK, "", "");
  }

  /** Asks to compact everything that is stored. */
  public static EngineRequest compact() {
    return new EngineRequest(Verb.COMPACT, "", "");
  }

  /** Asks to find what is obsolete in the indexes of all datasets. */
  public static EngineRequest repairIndexes() {
    return new EngineRequest(Verb.REPAIR_INDEXES, "", "");
  }

  /** Asks to add an index to a dataset. */
  public static EngineRequest addIndex(String dataset, String definition) {
    return new EngineRequest(Verb.ADD_INDEX, dataset, definition);
  }

  /**
   * Asks to make a dataset where it is not there.
   *
   * @param key fields of the primary key
   * @param indexes as {@code varve import} has them
   */
  public static EngineRequest createDataset(
      String dataset, List<String> key, List<String> indexes, int partitions) {
    return new EngineRequest(
        Verb.CREATE,
        dataset,
        String.join(",", key) + "\n" + String.join(",", indexes) + "\n" + partitions);
  }

  /** Asks to make a key-value store where it is not there. */
  public static EngineRequest createKeyValueStore(String store) {
    return new EngineRequest(Verb.CREATE, store, "");
  }

  /** Asks to take what lies beside the request. */
  public static EngineRequest put(String store) {
    return new EngineRequest(Verb.PUT, store, "");
  }

  /**
   * Asks to delete what lies in a range of keys.
   *
   * @param keys from its low bound on, to below its high one
   * @throws IllegalArgumentException when the low bound is left out, or the high one is not
   */
  public static EngineRequest deleteRange(String store, KeyRange keys) {
    if ((keys.low().isBounded() && !keys.low().isInclusive()) || keys.high().isInclusive()) {
      throw new IllegalArgumentException("no range from a key on, to below another: " + keys);
    }
    return new EngineRequest(Verb.DELETE_RANGE, store, line(keys.low()) + "\n" + line(keys.high()));
  }

  /** Tells an empty key, of which there may be pairs, from no bound. */
  private static String line(KeyBound bound) {
    return bound.isBounded() ? HEX + HexFormat.of().formatHex(bound.key().toByteArray()) : "";
  }

  private static byte[] key(String line) {
    if (!line.startsWith(HEX)) {
      throw new IllegalArgumentException("no key in hexadecimal behind 0x: " + line);
    }
    return HexFormat.of().parseHex(line.substring(HEX.length()));
  }

  /**
   * The keys that are to be deleted.
   *
   * @throws IllegalArgumentException when the argument is none of such a request
   */
  public KeyRange range() {
    String[] lines = argument.split("\n", -1);
    if (verb != Verb.DELETE_RANGE || lines.length != 2) {
      throw new IllegalArgumentException("no range of keys: " + argument);
    }
    return KeyRange.between(
        lines[0].isEmpty() ? KeyBound.unbounded() : KeyBound.inclusive(key(lines[0])),
        lines[1].isEmpty() ? KeyBound.unbounded() : KeyBound.exclusive(key(lines[1])));
  }

  /** Asks to drop an index of a dataset. */
  public static EngineRequest dropIndex(String dataset, String index) {
    return new EngineRequest(Verb.DROP_INDEX, dataset, index);
  }
}
