package dev.varve.benchmarks.measure;

/**
 * What a process is asked to do with its store: the one form of it, for every comparison.
 *
 * @param task what, by the name that it has in the comparison: an action, a workload, a phase
 * @param round which time the task is done; what is chosen at random differs with it
 * @param records those that are in the store, or will be after a load
 * @param effort how much of it
 */
public record Work(String task, long round, Span records, Effort effort) {
  /**
   * Records in a row.
   *
   * @param first number of the first
   * @param end number after the last
   */
  public record Span(long first, long end) {
    /** How many they are. */
    public long count() {
      return end - first;
    }
  }

  /**
   * How much is done: it ends at the first bound that is met.
   *
   * @param threads how many do it at a time
   * @param operations of all threads together
   * @param seconds after which it ends
   * @param trialSeconds after which it ends if not a twentieth of the operations is done, so that a
   *     store that will not come near its end is not waited for
   */
  public record Effort(int threads, long operations, double seconds, double trialSeconds) {
    /** More operations than there is time for. */
    public static final long ENDLESS = Long.MAX_VALUE / 2;

    /** More seconds than anything takes. */
    public static final double UNTIMED = 1e6;

    /** For a time. */
    public static Effort lasting(int threads, double seconds) {
      return new Effort(threads, ENDLESS, seconds, seconds);
    }

    /** To the end, whatever it takes. */
    public static Effort complete(int threads, long operations) {
      return new Effort(threads, operations, UNTIMED, UNTIMED);
    }

    /**
     * Where the operations of a thread begin among those of all; of the one after the last, the
     * end.
     */
    public long from(int thread) {
      return operations / threads * thread + Math.min(thread, operations % threads);
    }
  }
}
