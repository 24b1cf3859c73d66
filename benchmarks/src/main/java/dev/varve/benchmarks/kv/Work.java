package dev.varve.benchmarks.kv;

/**
 * What a child is asked to do.
 *
 * @param action what
 * @param keys which records there are
 * @param first number of the first record that is in the store
 * @param end number after the last one that is, or that will be after a load
 * @param threads how many do it at a time
 * @param operations after how many it ends, of all threads together
 * @param seconds when it ends at the latest
 * @param trialSeconds when it ends if not a twentieth is done by then, so that a store that will
 *     not come near its end is not waited for; {@code seconds} for work without an end
 * @param warmUpSeconds how long to do it before, unmeasured
 * @param choices seed of which records are chosen at random
 */
record Work(
    Action action,
    Keys keys,
    long first,
    long end,
    int threads,
    long operations,
    double seconds,
    double trialSeconds,
    double warmUpSeconds,
    long choices) {
  /**
   * How records are generated.
   *
   * @param order of their keys
   * @param seed of everything that is random
   * @param valueBytes size of a value
   */
  record Keys(KeyOrder order, long seed, int valueBytes) {}

  /** The same work as a warm-up. */
  Work warmUp() {
    return new Work(
        action,
        keys,
        first,
        end,
        threads,
        operations,
        warmUpSeconds,
        warmUpSeconds,
        0,
        Records.scramble(choices));
  }

  /** Bytes of a record. */
  int recordBytes() {
    return Records.KEY_BYTES + keys.valueBytes;
  }
}
