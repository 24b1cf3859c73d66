package dev.varve.common.format;

/** What the deleted keys of newer components say of an entry; see {@link DeletedKeys}. */
public enum Validity {
  /** None of them has its primary key. */
  VALID,
  /** A memory component's do: it is deleted if the transaction that did it is not running. */
  DELETED_IN_MEMORY,
  /** A disk component's do, or its deleted ranges or those of one in memory: it is deleted. */
  DELETED_ON_DISK
}
