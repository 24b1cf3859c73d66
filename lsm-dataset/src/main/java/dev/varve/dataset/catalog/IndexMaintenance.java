package dev.varve.dataset.catalog;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * How the secondary indexes of a dataset follow the changes of its records (On Performance
 * Stability in LSM-based Storage Systems, section 7.1). docs/MAINTENANCE.md says when to take
 * which. Names and order are written into the catalog.
 */
public enum IndexMaintenance {
  /**
   * An upsert or delete reads the old record, and takes its entries out of the secondary indexes.
   */
  EAGER,

  /**
   * An upsert or delete of a session, or by itself, does not read the old record, whose entries
   * stay: searches look at the record of each entry and leave out what is obsolete. Indexes that
   * delete by primary key, those of words and n-grams, hold nothing obsolete. A transaction reads
   * the old record anyway, to be able to take a change back, and takes its entries out.
   */
  LAZY;

  /** Its name as options and the command line write it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The names of all. */
  public static List<String> texts() {
    return Arrays.stream(values()).map(IndexMaintenance::text).toList();
  }

  /**
   * The one with a name.
   *
   * @throws IllegalArgumentException when there is none
   */
  public static IndexMaintenance parse(String text) {
    for (IndexMaintenance maintenance : values()) {
      if (maintenance.text().equals(text)) {
        return maintenance;
      }
    }
    throw new IllegalArgumentException(
        "no maintenance of indexes: '" + text + "'; there are " + texts());
  }
}
