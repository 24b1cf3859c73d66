package dev.varve.rtree.disk;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.Bytes;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.page.PageFile;
import dev.varve.common.page.PageLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The interior pages of a tree, read and checked once when it is opened, and held in the cache from
 * then on, or where it refuses pinned for each use; and the page numbers of all leaves in order. So
 * a search reads only leaves. Immutable and thread-safe.
 */
final class Directory {
  /** An interior page. */
  static final class Node {
    final int pageNumber;
    final int level;

    /** Number of leaves to the left of this page's first. */
    final int firstLeaf;

    /** Interior pages below; empty when the children are leaves. */
    final List<Node> children = new ArrayList<>();

    private final PageFile file;

    /** Null where the cache did not want to hold the page. */
    private final PageFile.@Nullable View held;

    Node(PageFile file, int pageNumber, int level, int firstLeaf) throws StorageException {
      this.file = file;
      this.pageNumber = pageNumber;
      this.level = level;
      this.firstLeaf = firstLeaf;
      this.held = file.tryHold(pageNumber);
    }

    /** The page, pinned unless it is held. */
    @MustBeClosed
    PageFile.Page open() throws StorageException {
      PageFile.View view = held;
      return view == null ? file.pin(pageNumber) : new HeldPage(view);
    }
  }

  /** A page that stays where it is. */
  private record HeldPage(PageFile.View view) implements PageFile.Page {
    @Override
    public byte[] bytes() {
      return view.bytes();
    }

    @Override
    public int at() {
      return view.at();
    }

    @Override
    public void close() {
      // Held until the file is closed.
    }
  }

  private final PageFile file;

  /** Null when the root is a leaf. */
  private final @Nullable Node root;

  private int[] leaves = new int[16];
  private int leafCount;
  private int interiorCount;

  Directory(PageFile file, int rootPage) throws StorageException {
    this.file = file;
    byte[] page = file.readUncached(rootPage, Bytes.EMPTY);
    if (page[PageLayout.KIND] == LeafLayout.KIND) {
      root = null;
      addLeaf(rootPage);
    } else {
      root = load(rootPage, page[InteriorLayout.LEVEL]);
    }
    leaves = Arrays.copyOf(leaves, leafCount);
  }

  /** The root, or null when it is a leaf. */
  @Nullable Node root() {
    return root;
  }

  int leafCount() {
    return leafCount;
  }

  /** Page number of the n-th leaf. */
  int leafPage(int ordinal) {
    return leaves[ordinal];
  }

  /** The first leaf that may have entries at a position. */
  int firstLeafAt(long position) throws StorageException {
    Node node = root;
    if (node == null) {
      return 0;
    }
    while (true) {
      int index;
      try (PageFile.Page page = node.open()) {
        index = InteriorPage.firstAt(page.bytes(), page.at(), position);
      }
      if (node.children.isEmpty()) {
        return node.firstLeaf + index;
      }
      node = node.children.get(index);
    }
  }

  private Node load(int pageNumber, int level) throws StorageException {
    Node node = new Node(file, pageNumber, level, leafCount);
    // Levels fall towards the leaves, so only pages with two parents could make this go on.
    if (++interiorCount > file.pageCount()) {
      throw damaged(pageNumber, "more interior pages than pages");
    }
    int[] children;
    try (PageFile.Page opened = node.open()) {
      byte[] page = opened.bytes();
      int at = opened.at();
      String problem = InteriorPage.problem(page, at, file.pageSize());
      if (problem != null) {
        throw damaged(pageNumber, problem);
      }
      int found = InteriorPage.level(page, at);
      if (found != level) {
        throw damaged(pageNumber, "level " + found + ", should be " + level);
      }
      children = new int[InteriorPage.count(page, at)];
      for (int i = 0; i < children.length; i++) {
        children[i] = InteriorPage.child(page, at, i);
      }
    }
    // A device does several reads at once.
    PageFile.Fetch others = level == 1 ? null : file.fetchAtOpening(children);
    try {
      for (int child : children) {
        if (level == 1) {
          addLeaf(child);
        } else {
          node.children.add(load(child, level - 1));
        }
      }
    } finally {
      if (others != null) {
        others.close();
      }
    }
    return node;
  }

  private void addLeaf(int pageNumber) throws CorruptionException {
    if (pageNumber <= 0 || pageNumber >= file.pageCount() || leafCount >= file.pageCount()) {
      throw damaged(pageNumber, "no page of this file can be this leaf");
    }
    if (leafCount == leaves.length) {
      leaves = Arrays.copyOf(leaves, 2 * leafCount);
    }
    leaves[leafCount++] = pageNumber;
  }

  private CorruptionException damaged(int pageNumber, String problem) {
    return new CorruptionException(file.name(), (long) pageNumber * file.pageSize(), problem);
  }
}
