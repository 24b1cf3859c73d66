package dev.varve.common.index;

/**
 * Leaves out of the results of merges what the owner of an index knows to be needed no more. What
 * is left out may let an older state of its key come forth, which has to be as superfluous. Merges
 * run on other threads, several at a time.
 */
@FunctionalInterface
public interface MergeSieve {
  /** Lets everything through. */
  MergeSieve OPEN = states -> states;

  /**
   * The entries of a merge that are written.
   *
   * @param states its reconciled entries, antimatter among them; taken over by the result
   */
  LsmCursor over(LsmCursor states);
}
