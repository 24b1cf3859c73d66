package dev.varve.btree.disk;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.page.PageFile;
import dev.varve.common.page.PageFile.Page;
import dev.varve.common.page.PageFile.Stamp;
import dev.varve.common.page.PageLayout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which leaf may hold a key, and which leaf comes n-th: the interior pages of a tree, read once
 * when it is opened, as fences and the page numbers of all leaves in order. So a point read touches
 * one page of the cache, and a cursor finds the next or previous leaf by counting.
 *
 * <p>The interior pages themselves are asked only for keys that the fences do not tell apart; they
 * are held in the cache for that, and where it refuses pinned for each use. Immutable and
 * thread-safe.
 */
final class LeafDirectory {
  /** An interior page. */
  private static final class Node {
    final int pageNumber;

    /** Null where the cache did not want to hold the page. */
    final PageFile.@Nullable View held;

    /** Interior pages below; empty when the children are leaves. */
    final List<Node> children = new ArrayList<>();

    /** Number of leaves to the left of this page's first. */
    final int firstLeaf;

    Node(int pageNumber, PageFile.@Nullable View held, int firstLeaf) {
      this.pageNumber = pageNumber;
      this.held = held;
      this.firstLeaf = firstLeaf;
    }
  }

  private final PageFile file;

  /** Null when the root is a leaf. */
  private final @Nullable Node root;

  private final LeafFences fences;
  private int leafCount;
  private int interiorCount;

  LeafDirectory(PageFile file, int rootPage) throws StorageException {
    this.file = file;
    byte[] page = file.readUncached(rootPage, Bytes.EMPTY);
    LeafFences.Builder built = new LeafFences.Builder();
    if (page[PageLayout.KIND] == LeafLayout.KIND) {
      root = null;
      addLeaf(rootPage, built);
    } else {
      root = load(rootPage, page[InteriorLayout.LEVEL], built);
    }
    fences = built.build();
  }

  int leafCount() {
    return leafCount;
  }

  /** Page number of the n-th leaf. */
  int leafPage(int ordinal) {
    return fences.page(ordinal);
  }

  /**
   * Which leaf holds a key if any does, and where: to be taken apart by {@link LeafFences#leaf} and
   * {@link LeafFences#position}.
   */
  long locate(Slice key) throws StorageException {
    long found = fences.search(key);
    return found != LeafFences.TIED ? found : LeafFences.found(leafFor(key), LeafFences.MIDDLE);
  }

  /** The same without a look at interior pages: {@link LeafFences#TIED} when that needs one. */
  long findOptimistically(Slice key) {
    return fences.search(key);
  }

  /**
   * As {@link #locate}, for a key that is not in a leaf before one: for lookups in ascending order.
   */
  long locateFrom(Slice key, int leaf) throws StorageException {
    long found = fences.searchFrom(key, leaf);
    return found != LeafFences.TIED ? found : LeafFences.found(leafFor(key), LeafFences.MIDDLE);
  }

  /** As {@link #findOptimistically}, for a key that is not in a leaf before one. */
  long findOptimisticallyFrom(Slice key, int leaf) {
    return fences.searchFrom(key, leaf);
  }

  /**
   * Page number of the leaf and position in it that are expected to be a key's; see {@link
   * LeafModel#estimate}.
   */
  long estimate(Slice key) {
    return fences.estimate(key);
  }

  /** Has the processor fetch what {@link #estimate} looks at. */
  int touchEstimate(Slice key) {
    return fences.touchEstimate(key);
  }

  /**
   * Has the processor fetch what a search from a key looks at before it comes to a page: fences,
   * and whether the page is in the cache.
   *
   * @return a number that depends on what was read, so that the reads are not left out
   */
  int prefetch(Slice key) {
    int pageNumber = fences.pageNear(key);
    Stamp stamp = file.stamp(pageNumber);
    byte[] page = file.optimisticBytes(pageNumber);
    return (stamp == null ? 0 : stamp.prefetch()) + (page == null ? 0 : page.length);
  }

  private int leafFor(Slice key) throws StorageException {
    Node node = root;
    if (node == null) {
      return 0;
    }
    while (true) {
      int index = childIndex(node, key);
      if (node.children.isEmpty()) {
        return node.firstLeaf + index;
      }
      node = node.children.get(index);
    }
  }

  private int childIndex(Node node, Slice key) throws StorageException {
    if (node.held != null) {
      return InteriorPage.childIndex(node.held, key);
    }
    try (Page page = file.pin(node.pageNumber)) {
      return InteriorPage.childIndex(page, key);
    }
  }

  private Node load(int pageNumber, int level, LeafFences.Builder built) throws StorageException {
    PageFile.View held = file.tryHold(pageNumber);
    byte[] page = held != null ? held.bytes() : file.readUncached(pageNumber, Bytes.EMPTY);
    int at = held != null ? held.at() : 0;
    String problem = InteriorPage.problem(page, at, file.pageSize());
    if (problem != null) {
      throw damaged(pageNumber, problem);
    }
    int found = InteriorPage.level(page, at);
    if (found != level) {
      throw damaged(pageNumber, "level " + found + ", should be " + level);
    }
    // Levels fall towards the leaves, so only pages with two parents could make this go on.
    if (++interiorCount > file.pageCount()) {
      throw damaged(pageNumber, "more interior pages than pages");
    }
    int[] children = new int[InteriorPage.count(page, at) + 1];
    for (int index = 0; index < children.length; index++) {
      children[index] = InteriorPage.child(page, at, index);
    }
    Node node = new Node(pageNumber, held, leafCount);
    // A device does several reads at once, and there are hundreds of them.
    PageFile.Fetch others = level == 1 ? null : file.fetchAtOpening(children);
    try {
      for (int index = 0; index < children.length; index++) {
        if (index > 0 && !built.add(InteriorPage.separator(page, at, index - 1))) {
          throw damaged(pageNumber, "separator " + (index - 1) + " is below the one before");
        }
        if (level == 1) {
          addLeaf(children[index], built);
        } else {
          node.children.add(load(children[index], level - 1, built));
        }
      }
    } finally {
      if (others != null) {
        others.close();
      }
    }
    return node;
  }

  private void addLeaf(int pageNumber, LeafFences.Builder built) throws CorruptionException {
    if (pageNumber <= 0 || pageNumber >= file.pageCount() || leafCount >= file.pageCount()) {
      throw damaged(pageNumber, "no page of this file can be this leaf");
    }
    built.addLeaf(pageNumber);
    leafCount++;
  }

  private CorruptionException damaged(int pageNumber, String problem) {
    return new CorruptionException(file.name(), (long) pageNumber * file.pageSize(), problem);
  }
}
