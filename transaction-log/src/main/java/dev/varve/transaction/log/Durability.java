package dev.varve.transaction.log;

/** What an acknowledged transaction survives. */
public enum Durability {
  /** A power loss: the log is forced before the acknowledgement. */
  POWER_LOSS,
  /**
   * A crash of this process: the bytes are in the kernel before the acknowledgement and are forced
   * in the background within seconds, unless a disk component has them by then. After a power loss
   * a prefix of the commits survives, at least those below {@link TransactionLog#durableLsn}.
   */
  PROCESS_CRASH,
  /**
   * Nothing in particular: atomicity and order only. The log is forced when a flush or another
   * transaction needs it. An engine that is opened at this level does not even log an operation
   * that is a transaction by itself, on a store with a single index: there a crash of any kind
   * takes back what was not flushed.
   */
  NONE
}
