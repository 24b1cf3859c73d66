package dev.varve.dataset.model;

/**
 * What another process asks an engine that runs to do.
 *
 * @param verb what
 * @param store name of the dataset or key-value store; of {@link Verb#COMPACT} empty for all, of
 *     {@link Verb#LOOK} empty
 * @param argument what the verb says; empty where it says nothing
 */
public record EngineRequest(Verb verb, String store, String argument) {
  /** What can be asked. */
  public enum Verb {
    /** To make a checkpoint that the one who asks opens and reads, and that ends with it. */
    LOOK,
    /** To merge each index into one component. */
    COMPACT,
    /** To add an index; the argument is its definition as text. */
    ADD_INDEX,
    /** To drop an index; the argument is its name. */
    DROP_INDEX
  }

  /** Asks for a checkpoint to read. */
  public static EngineRequest look() {
    return new EngineRequest(Verb.LOOK, "", "");
  }

  /** Asks to compact everything that is stored. */
  public static EngineRequest compact() {
    return new EngineRequest(Verb.COMPACT, "", "");
  }

  /** Asks to add an index to a dataset. */
  public static EngineRequest addIndex(String dataset, String definition) {
    return new EngineRequest(Verb.ADD_INDEX, dataset, definition);
  }

  /** Asks to drop an index of a dataset. */
  public static EngineRequest dropIndex(String dataset, String index) {
    return new EngineRequest(Verb.DROP_INDEX, dataset, index);
  }
}
