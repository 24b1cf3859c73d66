package dev.varve.rtree.disk;

import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.page.PageFile;
import dev.varve.rtree.query.RegionQuery;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Walks the leaves that a region reaches, depth first. Children stand in their pages in key order,
 * so that is the order of the entries. Confined to one thread; at most one leaf is pinned.
 */
final class RegionCursor implements EntryCursor {
  /** The children of an interior page that the region reaches, and how far the walk is. */
  private static final class Visit {
    final Directory.Node node;
    final int[] children;
    int next;

    Visit(Directory.Node node, int[] children) {
      this.node = node;
      this.children = children;
    }
  }

  private final PageFile file;
  private final Directory directory;
  private final RegionQuery query;
  private final LeafReader reader;
  private final Boxes boxes = new Boxes();
  private final Entry entry = new Entry();

  /** Visits from the root downwards. */
  private final Visit[] path;

  private int depth = -1;
  private boolean started;
  private PageFile.@Nullable Page pinned;

  /** Those of the leaf that are in the region; before there is a leaf, of an interior page. */
  private int[] slots = new int[0];

  private int count;
  private int position;

  RegionCursor(PageFile file, Directory directory, RegionQuery query) {
    this.file = file;
    this.directory = directory;
    this.query = query;
    this.reader = new LeafReader(file);
    Directory.Node root = directory.root();
    this.path = new Visit[root == null ? 0 : root.level];
  }

  @Override
  public boolean next() throws StorageException {
    while (position == count) {
      unpin();
      int leaf = nextLeaf();
      if (leaf < 0) {
        return false;
      }
      load(directory.leafPage(leaf));
    }
    reader.view(slots[position++], entry);
    return true;
  }

  /** Number of the next leaf that the region reaches, or -1. */
  private int nextLeaf() throws StorageException {
    if (!started) {
      started = true;
      Directory.Node root = directory.root();
      if (root == null) {
        return 0;
      }
      path[++depth] = visit(root);
    }
    while (depth >= 0) {
      Visit visit = path[depth];
      if (visit.next == visit.children.length) {
        depth--;
        continue;
      }
      int child = visit.children[visit.next++];
      if (visit.node.children.isEmpty()) {
        return visit.node.firstLeaf + child;
      }
      path[++depth] = visit(visit.node.children.get(child));
    }
    return -1;
  }

  private Visit visit(Directory.Node node) throws StorageException {
    try (PageFile.Page page = node.open()) {
      InteriorPage.viewBoxes(page.bytes(), page.at(), boxes);
      reserve(InteriorPage.count(page.bytes(), page.at()));
      int found = boxes.intersecting(query, slots);
      return new Visit(node, Arrays.copyOf(slots, boxes.reached(query, slots, found)));
    }
  }

  private void reserve(int most) {
    if (slots.length < most) {
      slots = new int[most];
    }
  }

  @SuppressWarnings("MustBeClosedChecker") // unpinned before the next leaf, or by close()
  private void load(int pageNumber) throws StorageException {
    PageFile.Page page = file.pin(pageNumber);
    pinned = page;
    reader.load(page, pageNumber);
    reserve(reader.count());
    position = 0;
    count = reader.boxes().intersecting(query, slots);
    if (query.isSelective()) {
      count = reader.boxes().accepted(query, slots, count);
    }
  }

  private void unpin() {
    PageFile.Page page = pinned;
    pinned = null;
    count = 0;
    position = 0;
    if (page != null) {
      page.close();
    }
  }

  @Override
  public Entry entry() {
    return entry;
  }

  @Override
  public long position() {
    return reader.liesAt(slots[position - 1]);
  }

  @Override
  public void close() {
    unpin();
    started = true;
    depth = -1;
  }
}
