package dev.varve.common.merge;

/**
 * A disk component that holds a range of the keys of its index, as a policy sees it.
 *
 * @param number which one it is; unlike the range of flushes, no two of an index have the same
 * @param bytes its size
 * @param keys from its smallest to its largest
 */
public record RangedComponent(long number, long bytes, KeyInterval keys) {}
