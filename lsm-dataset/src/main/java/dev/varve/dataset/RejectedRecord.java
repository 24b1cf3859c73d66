package dev.varve.dataset;

/**
 * A record that a repair set aside, because where it belongs there is another under its key.
 *
 * @param dataset name of the dataset
 * @param key the primary key, for people
 * @param keptAt where both belong, and the one that stays is
 * @param kept the record that stays
 * @param foundAt where the other was
 * @param rejected the other
 */
public record RejectedRecord(
    String dataset, String key, String keptAt, String kept, String foundAt, String rejected) {
  private static final int MOST_CHARACTERS = 300;

  /** The same with no more than the beginning of both records. */
  RejectedRecord excerpt() {
    return new RejectedRecord(dataset, key, keptAt, beginning(kept), foundAt, beginning(rejected));
  }

  private static String beginning(String text) {
    return text.length() <= MOST_CHARACTERS ? text : text.substring(0, MOST_CHARACTERS) + "...";
  }
}
