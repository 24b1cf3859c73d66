package dev.varve.common.env;

/**
 * Background work as a stepped object: a thread runs it in production, a test steps it by hand. One
 * thread at a time calls {@link #doWork}.
 */
public interface Worker {
  /** Name of its thread, for people who read thread dumps. */
  String name();

  /**
   * Does a bounded piece of work. Must not throw for failures it can report itself; what it throws
   * all the same is an engine bug and stops the worker after {@link #failed}.
   *
   * @return how much was done; 0 when there was nothing to do, and the worker may sleep until woken
   */
  int doWork();

  /**
   * How long the worker may sleep after a step that found nothing to do, unless it is woken before.
   * Asked after each such step; for workers whose work becomes due by time.
   *
   * @return nanoseconds above 0, or {@link Signal#FOREVER}
   */
  default long napNanos() {
    return Signal.FOREVER;
  }

  /**
   * Told what {@link #doWork} threw; the worker runs no more. First tells whoever depends on the
   * worker, and only then reports: heap, file handles or classes for a report may be what was
   * missing. Told again when it throws.
   */
  void failed(Throwable cause);
}
