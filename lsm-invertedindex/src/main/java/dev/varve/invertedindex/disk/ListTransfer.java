package dev.varve.invertedindex.disk;

import dev.varve.common.error.StorageException;
import dev.varve.common.format.EntryTransfer;
import dev.varve.common.format.EntryValidity;
import dev.varve.common.format.Validity;
import dev.varve.invertedindex.postings.ListScan;
import java.util.Arrays;
import java.util.List;

/**
 * Makes one component of some, list by list. First the documents: each gets its new ordinal, or
 * none when it is deleted, which is asked once and not for each of its tokens. Then the tokens: a
 * list of the new component is the union of the old ones, their ordinals replaced. New ordinals of
 * a component's documents ascend as the old ones do, so nothing is sorted and nothing looked up.
 *
 * <p>Holds four bytes for each document of each component, and as many ordinals of each as its scan
 * reads at a time. Confined to one task.
 */
final class ListTransfer implements EntryTransfer {
  /** About how many entries make a step. */
  private static final int STEP = 2048;

  private final InvertedBuilder target;
  private final EntryValidity validity;
  private final TransferSource[] sources;

  /** Sources that have the least document or token. */
  private final TransferSource[] least;

  private int leastCount;

  /** Of those, the ones that have more postings of the token. */
  private final TransferSource[] lists;

  private int listCount;
  private boolean started;
  private boolean atTokens;

  /** Whether something of the token's list was written. */
  private boolean listStarted;

  /**
   * Starts with the first document.
   *
   * @param scans newest first
   */
  ListTransfer(InvertedBuilder target, List<ListScan> scans, EntryValidity validity) {
    this.target = target;
    this.validity = validity;
    this.sources = new TransferSource[scans.size()];
    Arrays.setAll(sources, number -> new TransferSource(scans.get(number), number));
    this.least = new TransferSource[sources.length];
    this.lists = new TransferSource[sources.length];
  }

  @Override
  public long moveOn() throws StorageException {
    if (!started) {
      started = true;
      for (TransferSource source : sources) {
        source.nextDocument();
      }
    }
    return atTokens ? movePostings() : moveDocuments();
  }

  private long moveDocuments() throws StorageException {
    long moved = 0;
    for (int i = 0; i < STEP; i++) {
      findLeast();
      if (leastCount == 0) {
        target.endDocuments();
        atTokens = true;
        for (TransferSource source : sources) {
          source.nextToken();
        }
        return moved;
      }
      int ordinal = TransferSource.GONE;
      for (int j = 0; j < leastCount; j++) {
        TransferSource source = least[j];
        if (validity.of(source.number(), source.key()) != Validity.VALID) {
          source.renumber(TransferSource.GONE);
          continue;
        }
        if (ordinal == TransferSource.GONE) {
          ordinal = target.addDocument(source.key());
          moved++;
        }
        source.renumber(ordinal);
      }
      for (int j = 0; j < leastCount; j++) {
        least[j].nextDocument();
      }
    }
    return moved;
  }

  /** Finds the sources whose document or token is the least. */
  private void findLeast() {
    leastCount = 0;
    for (TransferSource source : sources) {
      if (source.ended()) {
        continue;
      }
      int order = leastCount == 0 ? 0 : source.compareKey(least[0]);
      if (order <= 0) {
        leastCount = order < 0 ? 0 : leastCount;
        least[leastCount++] = source;
      }
    }
  }

  private long movePostings() throws StorageException {
    long moved = 0;
    while (moved < STEP) {
      if (listCount == 0 && !nextToken()) {
        return moved == 0 ? END : moved;
      }
      moved += listCount == 1 ? moveBlock(lists[0]) : moveRun();
    }
    return moved;
  }

  /** Moves to the next token of which any document is left. */
  private boolean nextToken() throws StorageException {
    do {
      for (int i = 0; i < leastCount; i++) {
        least[i].nextToken();
      }
      findLeast();
      listStarted = false;
      for (int i = 0; i < leastCount; i++) {
        if (least[i].fill()) {
          lists[listCount++] = least[i];
        }
      }
    } while (leastCount > 0 && listCount == 0);
    return leastCount > 0;
  }

  /** Moves all ordinals that were read of the only source that has any. */
  private long moveBlock(TransferSource only) throws StorageException {
    return write(0, only, only.end());
  }

  /** Moves the least ordinal, and what follows it before another source has one. */
  private long moveRun() throws StorageException {
    int first = 0;
    for (int i = 1; i < listCount; i++) {
      if (lists[i].ordinal() < lists[first].ordinal()) {
        first = i;
      }
    }
    int bound = Integer.MAX_VALUE;
    for (int i = 0; i < listCount; i++) {
      if (i != first) {
        bound = Math.min(bound, lists[i].ordinal());
      }
    }
    TransferSource source = lists[first];
    if (source.ordinal() == bound) {
      // Another source has the same document, which was not deleted in between: it comes from
      // there.
      source.skip(1);
      refill(first);
      return 0;
    }
    return write(first, source, source.firstNotBelow(bound));
  }

  private long write(int list, TransferSource source, int to) throws StorageException {
    if (!listStarted) {
      target.startList(source.key());
      listStarted = true;
    }
    int count = to - source.at();
    target.addPostings(source.block(), source.at(), to);
    source.skip(count);
    refill(list);
    return count;
  }

  private void refill(int list) throws StorageException {
    TransferSource source = lists[list];
    if (source.at() == source.end() && !source.fill()) {
      lists[list] = lists[--listCount];
    }
  }
}
