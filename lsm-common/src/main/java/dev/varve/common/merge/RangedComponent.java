package dev.varve.common.merge;

/**
 * A disk component that holds a range of the keys of its index, as a policy sees it.
 *
 * @param number which one it is; unlike the range of flushes, no two of an index have the same
 * @param bytes its size
 * @param entries how many entries it has, antimatter included; 0 where only its name and size are
 *     known
 * @param antimatter how many of them are antimatter
 * @param keys from its smallest to its largest
 */
public record RangedComponent(
    long number, long bytes, long entries, long antimatter, KeyInterval keys) {
  /** Checks the numbers. */
  public RangedComponent {
    if (antimatter < 0 || antimatter > entries) {
      throw new IllegalArgumentException(antimatter + " of " + entries + " entries are antimatter");
    }
  }

  /** A component without antimatter. */
  public RangedComponent(long number, long bytes, long entries, KeyInterval keys) {
    this(number, bytes, entries, 0, keys);
  }
}
