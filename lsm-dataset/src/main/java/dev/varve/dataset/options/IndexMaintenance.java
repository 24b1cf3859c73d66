package dev.varve.dataset.options;

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
   * the old record anyway, to be able to take a change back, and takes its entries out. Where the
   * dataset has an index of primary keys, merges leave out what is obsolete.
   */
  LAZY,

  /**
   * As {@code LAZY}, and always with an index of primary keys, which tells searches, too, what is
   * obsolete: those for keys and counts need not look at records (Luo and Carey, Efficient Data
   * Ingestion and Query Processing for LSM-Based Storage Systems, VLDB 2019, section 4).
   */
  VALIDATION,

  /**
   * As {@code VALIDATION}, and it is found out which records of older components are dead, so that
   * a scan for old values of the filter field leaves out newer components that only hide what is
   * dead (section 5 of the same paper).
   */
  MUTABLE_BITMAP;

  /** Whether a dataset that is kept so has an index of primary keys. */
  public boolean needsPrimaryKeyIndex() {
    return this == VALIDATION || this == MUTABLE_BITMAP;
  }

  /** The name as people write it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
