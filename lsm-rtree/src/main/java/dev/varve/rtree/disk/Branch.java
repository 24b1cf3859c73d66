package dev.varve.rtree.disk;

import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.page.PageFile;
import dev.varve.rtree.query.Frontier;
import dev.varve.rtree.query.LeafEntries;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a search for the nearest has not looked into yet: an interior page, or the leaf with a
 * number.
 */
record Branch(Directory.@Nullable Node node, int leaf) {
  /**
   * The entries of a leaf, which is pinned for each: a pin kept until the search ends would be for
   * entries that may never be asked for, and a copy of the page, too.
   */
  private record PinnedLeaf(PageFile file, int pageNumber, LeafReader reader, Entry view)
      implements LeafEntries {
    @Override
    public void copy(int slot, Entry target) throws StorageException {
      try (PageFile.Page page = file.pin(pageNumber)) {
        reader.load(page, pageNumber);
        reader.view(slot, view);
        target.copyOf(view);
      }
    }
  }

  /** What was offered before, or the root. */
  static Branch of(@Nullable Object offered, Directory directory) {
    return offered == null ? new Branch(directory.root(), 0) : (Branch) offered;
  }

  /** Offers what is directly below. */
  void expand(PageFile file, Directory directory, Frontier frontier) throws StorageException {
    if (node == null) {
      expandLeaf(file, directory.leafPage(leaf), frontier);
      return;
    }
    double[] distances;
    try (PageFile.Page page = node.open()) {
      Boxes boxes = new Boxes();
      InteriorPage.viewBoxes(page.bytes(), page.at(), boxes);
      distances = distances(boxes, InteriorPage.count(page.bytes(), page.at()), frontier);
    }
    List<Directory.Node> children = node.children;
    frontier.offerBranches(
        children.isEmpty()
            ? slot -> new Branch(null, node.firstLeaf + slot)
            : slot -> new Branch(children.get(slot), 0),
        distances);
  }

  private static void expandLeaf(PageFile file, int pageNumber, Frontier frontier)
      throws StorageException {
    LeafReader reader = new LeafReader(file);
    double[] distances;
    try (PageFile.Page page = file.pin(pageNumber)) {
      reader.load(page, pageNumber);
      distances = distances(reader.boxes(), reader.count(), frontier);
    }
    frontier.offerLeaf(new PinnedLeaf(file, pageNumber, reader, new Entry()), distances);
  }

  private static double[] distances(Boxes boxes, int count, Frontier frontier) {
    double[] distances = new double[count];
    for (int i = 0; i < count; i++) {
      distances[i] = frontier.distance(boxes.minX(i), boxes.minY(i), boxes.maxX(i), boxes.maxY(i));
    }
    return distances;
  }
}
