package dev.varve.transaction.lock;

/** How a resource is locked. */
public enum LockMode {
  /** With others that only read. */
  SHARED,
  /** Alone. */
  EXCLUSIVE;

  boolean compatibleWith(LockMode other) {
    return this == SHARED && other == SHARED;
  }

  /** Whether a holder in this mode may do what the other mode allows. */
  boolean covers(LockMode other) {
    return this == EXCLUSIVE || other == SHARED;
  }
}
