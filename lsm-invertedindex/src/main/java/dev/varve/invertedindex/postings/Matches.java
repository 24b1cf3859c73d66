package dev.varve.invertedindex.postings;

import dev.varve.common.error.StorageException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The documents that are in at least so many of some lists, ascending, found a window at a time as
 * they are asked for. Confined to one search.
 *
 * <p>Implementation note. Let n lists be ordered from the rarest token to the most frequent one,
 * and t be the number that a document must be in. It cannot be in t lists without being in one of
 * the first n - t + 1: these are the <i>leading</i> lists. Only windows in which one of them has a
 * posting are looked at, and in those only the documents of leading lists are looked for in the
 * others (as DivideSkip does with long lists: Li, Lu and Lu, Efficient Merging and Filtering
 * Algorithms for Approximate String Searches, 2008).
 *
 * <ul>
 *   <li>t = n, all tokens: one leading list. The others are asked for windows at or above its own;
 *       whichever is furthest ahead leads on (leapfrog). Within a window the sets are intersected.
 *   <li>t = 1, any token: all are leading, the sets are united.
 *   <li>Between: occurrences are counted.
 * </ul>
 */
public final class Matches {
  /** What {@link #next} returns at the end. */
  public static final int END = -1;

  private final PostingList[] lists;
  private final int threshold;

  /** Number of leading lists. */
  private final int leading;

  private final Window found = new Window();
  private final Window other = new Window();
  private final char[] counts;
  private int window = -1;

  /** Index into an array, position in a bit set: where to go on in the window. */
  private int position;

  /**
   * Matches of some lists.
   *
   * @param present the lists of those tokens that the component has
   * @param threshold at least 1
   */
  public Matches(List<PostingList> present, int threshold) {
    assert threshold >= 1 : threshold;
    this.lists = present.toArray(new PostingList[0]);
    Arrays.sort(lists, Comparator.comparingLong(PostingList::documents));
    this.threshold = threshold;
    this.leading = lists.length - threshold + 1;
    this.counts = new char[leading > 1 && threshold > 1 ? Window.SIZE : 0];
    found.clear();
  }

  /** The next document's ordinal, or {@link #END}. */
  public int next() throws StorageException {
    if (leading <= 0 || window == PostingList.END) {
      return END;
    }
    while (true) {
      int at = found.dense() ? found.next(position) : found.at(position);
      if (at < Window.SIZE) {
        position = found.dense() ? at + 1 : position + 1;
        return (window << Window.BITS) + at;
      }
      position = 0;
      window = leading == 1 ? nextOfAll(window + 1) : nextOfSome(window + 1);
      if (window == PostingList.END) {
        return END;
      }
    }
  }

  /** Finds a window that all lists have, and intersects them. */
  private int nextOfAll(int from) throws StorageException {
    int wanted = from;
    int agreed = 0;
    for (int i = 0; agreed < lists.length; i = i + 1 == lists.length ? 0 : i + 1) {
      int at = lists[i].seek(wanted);
      if (at == PostingList.END) {
        return at;
      }
      agreed = at == wanted ? agreed + 1 : 1;
      wanted = at;
    }
    load(lists[0], found);
    for (int i = 1; i < lists.length && !found.isEmpty(); i++) {
      load(lists[i], other);
      found.retain(other);
    }
    return wanted;
  }

  private int nextOfSome(int from) throws StorageException {
    int wanted = PostingList.END;
    for (int i = 0; i < leading; i++) {
      wanted = Math.min(wanted, lists[i].seek(from));
    }
    if (wanted == PostingList.END) {
      return wanted;
    }
    found.clear();
    if (threshold > 1) {
      Arrays.fill(counts, (char) 0);
    }
    int inLeading = 0;
    for (int i = 0; i < leading; i++) {
      if (lists[i].seek(wanted) == wanted) {
        load(lists[i], other);
        found.add(other);
        inLeading++;
        if (threshold > 1) {
          other.countInto(counts);
        }
      }
    }
    if (threshold > 1) {
      countOthers(wanted, inLeading);
    }
    return wanted;
  }

  private void countOthers(int wanted, int inLeading) throws StorageException {
    int present = inLeading;
    for (int i = leading; i < lists.length; i++) {
      if (lists[i].seek(wanted) == wanted) {
        present++;
      }
    }
    if (present < threshold) {
      found.clear();
      return;
    }
    for (int i = leading; i < lists.length; i++) {
      if (lists[i].seek(wanted) == wanted) {
        load(lists[i], other);
        other.retain(found);
        other.countInto(counts);
        // What cannot reach the threshold any more need not be looked for in longer lists.
        found.retainCounted(counts, threshold - (lists.length - 1 - i));
      }
    }
    found.retainCounted(counts, threshold);
  }

  private static void load(PostingList list, Window target) throws StorageException {
    target.clear();
    list.load(target);
  }
}
