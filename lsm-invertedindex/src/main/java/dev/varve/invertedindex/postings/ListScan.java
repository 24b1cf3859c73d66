package dev.varve.invertedindex.postings;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.EntryCursor;

/**
 * A scan of a component that can be read list by list instead, for a flush or merge: first its
 * documents in the order of their primary keys, by which they have ordinals from 0, then each token
 * with the ordinals of its documents. Antimatter is left out. A scan is read in one of the two ways
 * only. Confined to one task.
 */
public interface ListScan extends EntryCursor {
  /** Number of documents. */
  int documents();

  /**
   * Moves to the next document.
   *
   * @param key pointed at the key of its own entry; holds until the next call
   */
  boolean nextDocument(Slice key) throws StorageException;

  /**
   * Moves to the next token, behind the last document.
   *
   * @param token pointed at the token, its length in front; holds until the next call
   */
  boolean nextToken(Slice token) throws StorageException;

  /**
   * Reads some more of the token's ordinals, which ascend.
   *
   * @return how many {@link #postings} holds now; 0 when there are no more
   */
  int nextPostings() throws StorageException;

  /** What {@link #nextPostings} read, from the front; the reader may overwrite it. */
  int[] postings();
}
