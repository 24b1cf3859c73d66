package dev.varve.dataset.internal.partition;

import java.util.concurrent.atomic.AtomicReference;

/**
 * Lets an engine that closes end what its owner, a thread of the embedding program, has left open.
 * The owner marks the beginning and the end of each of its calls. What is revoked between two calls
 * ends at once, on the thread of the engine; what is revoked during a call ends with that call, on
 * the owner's thread. So both never work on it at the same time. Thread-safe.
 */
final class Revocation {
  private enum State {
    /** The owner is in no call. */
    IDLE,
    /** The owner is in a call. */
    IN_CALL,
    /** The owner is in a call, and has to end everything with it. */
    WANTED,
    /** It was ended; the owner's calls are refused. */
    REVOKED
  }

  private final AtomicReference<State> state = new AtomicReference<>(State.IDLE);
  private final Runnable ending;

  /**
   * Of something that may be used.
   *
   * @param ending ends it; called at most once
   */
  Revocation(Runnable ending) {
    this.ending = ending;
  }

  /**
   * The owner begins a call, and ends it with {@link #endCall}.
   *
   * @return false when it was revoked: then there is nothing to be ended
   */
  boolean beginCall() {
    if (state.compareAndSet(State.IDLE, State.IN_CALL)) {
      return true;
    }
    if (!revoked()) {
      throw new IllegalStateException("it is used by two threads at the same time");
    }
    return false;
  }

  /** The owner ends a call. */
  void endCall() {
    if (!state.compareAndSet(State.IN_CALL, State.IDLE)) {
      assert state.get() == State.WANTED : state;
      end();
    }
  }

  /** Ends it, now or with the call that its owner is in. */
  void revoke() {
    if (state.compareAndSet(State.IDLE, State.WANTED)) {
      end();
    } else {
      state.compareAndSet(State.IN_CALL, State.WANTED);
    }
  }

  private void end() {
    state.set(State.REVOKED);
    ending.run();
  }

  /** Whether it was ended, or is being ended. */
  boolean revoked() {
    return state.get() == State.REVOKED;
  }
}
