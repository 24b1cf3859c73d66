package dev.varve.common.index;

import java.util.function.LongSupplier;

/**
 * Leaves out of the results of merges what the owner of an index knows to be needed no more. What
 * is left out may let an older state of its key come forth, which has to be as superfluous. Merges
 * run on other threads, several at a time.
 *
 * <p>Components remember how far their entries were checked, in a count of the owner that only
 * grows, so that the next check may begin there.
 */
@FunctionalInterface
public interface MergeSieve {
  /** Lets everything through. */
  MergeSieve OPEN = (states, checkedTo) -> new Sifted(states, () -> checkedTo);

  /**
   * The entries of a merge that are written.
   *
   * @param states its reconciled entries, antimatter among them; taken over by the result
   * @param checkedTo how far all of them were checked; 0 for not at all
   */
  Sifted over(LsmCursor states, long checkedTo);

  /**
   * Whether components by themselves are worth a look, which leaves out what a merge would leave
   * out; then results of {@link #over} say the {@linkplain LsmCursor#position positions} that the
   * states say.
   */
  default boolean repairs() {
    return false;
  }

  /**
   * How far entries count as checked that are put into memory from now on; 0 for not at all. Asked
   * under a lock of the index.
   */
  default long position() {
    return 0;
  }

  /**
   * What is left of the entries of a merge.
   *
   * @param entries those that are written
   * @param checkedTo how far those were checked that were handed out so far
   */
  record Sifted(LsmCursor entries, LongSupplier checkedTo) {}
}
