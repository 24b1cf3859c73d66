package dev.varve.invertedindex.postings;

import dev.varve.common.error.StorageException;

/**
 * The documents of one component that have a token, as ordinals, read forwards a window at a time.
 * Confined to one thread.
 */
public interface PostingList {
  /** What {@link #seek} returns behind the last window. */
  int END = Integer.MAX_VALUE;

  /** About how many documents there are, to begin with the rarest token. */
  long documents();

  /**
   * Moves on to the first window with postings at or above a number, if it is not there yet.
   *
   * @return the window's number, or {@link #END}
   */
  int seek(int window) throws StorageException;

  /** Adds the postings of the window that {@link #seek} found to those in a cleared window. */
  void load(Window target) throws StorageException;
}
