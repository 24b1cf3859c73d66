package dev.varve.transaction.log;

/** What an acknowledged transaction survives. */
public enum Durability {
  /** A power loss: the log is forced before the acknowledgement. */
  POWER_LOSS,
  /**
   * A crash of this process: the bytes are in the kernel before the acknowledgement and are forced
   * in the background. After a power loss a prefix of the commits survives, at least those below
   * {@link TransactionLog#durableLsn}.
   */
  PROCESS_CRASH,
  /**
   * Nothing in particular: atomicity and order only. The log is forced when a flush, a segment
   * switch or another transaction needs it.
   */
  NONE
}
