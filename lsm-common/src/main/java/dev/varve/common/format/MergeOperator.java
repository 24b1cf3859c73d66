package dev.varve.common.format;

import dev.varve.common.bytes.Slice;

/**
 * How a value is changed by operands that were written without a look at it: readers, and merges of
 * components, combine them with what is older. Associative, since components are merged in any
 * grouping, so that two operands make one; by itself, with nothing older, an operand is the value.
 * Stateless and thread-safe.
 */
@FunctionalInterface
public interface MergeOperator {
  /**
   * What an operand makes of what is older.
   *
   * @param older a value, or an operand, which then makes an operand
   * @param newer the operand
   * @return one of the two, or bytes of its own; it may not last longer than they do
   */
  Slice combine(Slice older, Slice newer);
}
