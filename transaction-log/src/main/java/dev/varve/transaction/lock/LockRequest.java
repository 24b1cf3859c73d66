package dev.varve.transaction.lock;

/** A request that waits in a queue. */
final class LockRequest {
  final LockOwner owner;
  final long resource;
  final LockMode mode;

  /** Set under the lock of the stripe, read by the waiter. */
  volatile boolean granted;

  LockRequest(LockOwner owner, long resource, LockMode mode) {
    this.owner = owner;
    this.resource = resource;
    this.mode = mode;
  }
}
