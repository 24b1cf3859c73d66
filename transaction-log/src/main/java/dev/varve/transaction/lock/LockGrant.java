package dev.varve.transaction.lock;

/** What a granted lock changed. */
public enum LockGrant {
  /** The owner did not hold the resource before; to give it back early, release it. */
  ACQUIRED,
  /** The owner held the resource shared and holds it exclusively now. */
  UPGRADED,
  /** The owner held the resource already, in this mode or a stronger one. */
  HELD
}
