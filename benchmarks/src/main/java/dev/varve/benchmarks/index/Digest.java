package dev.varve.benchmarks.index;

/**
 * A digest of sets of numbers, in the order of the sets and in no order within one. Confined to one
 * thread.
 */
public final class Digest implements IdSink {
  private long sets;
  private long current;
  private long members;

  @Override
  public void accept(long id) {
    members++;
    current += mix(id + 1);
  }

  /** Ends a set. */
  public void endSet() {
    sets = mix(sets + mix(current) + members);
    current = 0;
    members = 0;
  }

  /** The digest of the sets so far. */
  public long value() {
    return sets;
  }

  /** Spreads bits over all 64, as SplitMix64 does. */
  public static long mix(long value) {
    long mixed = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }
}
