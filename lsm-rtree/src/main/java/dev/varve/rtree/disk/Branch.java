package dev.varve.rtree.disk;

import dev.varve.common.error.StorageException;
import dev.varve.common.index.Entry;
import dev.varve.common.page.PageFile;
import dev.varve.rtree.query.Frontier;
import dev.varve.rtree.query.LeafEntries;
import org.jspecify.annotations.Nullable;

/**
 * What a search for the nearest has not looked into yet: an interior page, or the leaf with a
 * number.
 */
record Branch(Directory.@Nullable Node node, int leaf) {
  private record LeafCopy(LeafReader reader, Entry view) implements LeafEntries {
    @Override
    public void copy(int slot, Entry target) throws StorageException {
      reader.view(slot, view);
      target.copyOf(view);
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
      InteriorPage.viewBoxes(page.bytes(), boxes);
      distances = distances(boxes, InteriorPage.count(page.bytes()), frontier);
    }
    for (int i = 0; i < distances.length; i++) {
      Branch child =
          node.children.isEmpty()
              ? new Branch(null, node.firstLeaf + i)
              : new Branch(node.children.get(i), 0);
      frontier.offerBranch(child, distances[i]);
    }
  }

  private static void expandLeaf(PageFile file, int pageNumber, Frontier frontier)
      throws StorageException {
    LeafReader reader = new LeafReader(file);
    try (PageFile.Page page = file.pin(pageNumber)) {
      // A copy, so that no pin is kept for entries that may never be asked for.
      reader.load(page.bytes().clone(), pageNumber);
    }
    frontier.offerLeaf(
        new LeafCopy(reader, new Entry()), distances(reader.boxes(), reader.count(), frontier));
  }

  private static double[] distances(Boxes boxes, int count, Frontier frontier) {
    double[] distances = new double[count];
    for (int i = 0; i < count; i++) {
      distances[i] = frontier.distance(boxes.minX(i), boxes.minY(i), boxes.maxX(i), boxes.maxY(i));
    }
    return distances;
  }
}
