package dev.varve.rtree.query;

import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.rtree.geometry.Distances;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * What a search for the nearest entries has not looked into yet, nearest first, over all components
 * of a snapshot (Hjaltason and Samet, Distance browsing in spatial databases, 1999). Confined to
 * one search.
 *
 * <p>How states of a key meet: they have the same place, so the same distance. Branches come before
 * entries that are equally far, so that all entries of a distance are here before the first of them
 * leaves; entries that are equally far are in key order, and those of one key newest first.
 */
public final class Frontier {
  /**
   * What lies directly below one branch and is left, by its nearest: branches, or the entries of a
   * leaf.
   */
  private static final class Item implements Comparable<Item> {
    final int age;
    final Ranking ranking;

    /** Null for a leaf. */
    final @Nullable Branches branches;

    /** Null for branches. */
    final @Nullable LeafEntries leaf;

    /** The nearest entry of a leaf. */
    final Entry nearest = new Entry();

    Item(int age, double[] distances, @Nullable Branches branches, @Nullable LeafEntries leaf) {
      this.age = age;
      this.ranking = new Ranking(distances);
      this.branches = branches;
      this.leaf = leaf;
    }

    /** Moves to what is nearest of the rest; false when there is no rest. */
    boolean advance() throws StorageException {
      if (!ranking.advance()) {
        return false;
      }
      if (leaf != null) {
        leaf.copy(ranking.slot(), nearest);
      }
      return true;
    }

    @Override
    public int compareTo(Item other) {
      int order = Double.compare(ranking.distance(), other.ranking.distance());
      if (order != 0) {
        return order;
      }
      if (leaf == null || other.leaf == null) {
        return Boolean.compare(leaf != null, other.leaf != null);
      }
      order = nearest.key().compareBytes(other.nearest.key());
      return order != 0 ? order : Integer.compare(age, other.age);
    }
  }

  private final double x;
  private final double y;
  private final List<SpatialSource> sources;
  private final PriorityQueue<Item> items = new PriorityQueue<>();

  /** Age of the component that is being expanded. */
  private int expanding;

  /** Age of the component of the entry that was taken out last. */
  private int source;

  private double distance = 0;

  /** Starts with the roots of all components, newest first. */
  Frontier(double x, double y, List<SpatialSource> sources) throws StorageException {
    this.x = x;
    this.y = y;
    this.sources = sources;
    for (expanding = 0; expanding < sources.size(); expanding++) {
      offerBranches(root -> null, new double[1]);
    }
  }

  /** Distance of a box from the point. */
  public double distance(double lowX, double lowY, double highX, double highY) {
    return Distances.of(Distances.outside(x, lowX, highX), Distances.outside(y, lowY, highY));
  }

  /**
   * Takes branches of the source that is being expanded.
   *
   * @param least for each, no entry below is nearer; taken over
   */
  public void offerBranches(Branches branches, double[] least) throws StorageException {
    add(new Item(expanding, least, branches, null));
  }

  /**
   * Takes a leaf of the source that is being expanded.
   *
   * @param distances of each entry; taken over
   */
  public void offerLeaf(LeafEntries entries, double[] distances) throws StorageException {
    add(new Item(expanding, distances, null, entries));
  }

  private void add(Item item) throws StorageException {
    if (item.advance()) {
      items.add(item);
    }
  }

  /**
   * Takes out the nearest entry of the states that are left, antimatter included.
   *
   * @param found filled with copies when the result is true
   */
  boolean next(Entry found) throws StorageException {
    while (true) {
      Item item = items.poll();
      if (item == null) {
        return false;
      }
      if (item.branches != null) {
        Object branch = item.branches.branch(item.ranking.slot());
        add(item);
        expanding = item.age;
        sources.get(item.age).expand(branch, this);
        continue;
      }
      double here = item.ranking.distance();
      found.copyOf(item.nearest);
      add(item);
      // Nearer than the entries before can only be entries that were put since the search began.
      if (here >= distance) {
        distance = here;
        source = item.age;
        return true;
      }
    }
  }

  /** Number of the component, among the sources, of the entry that was taken out last. */
  int source() {
    return source;
  }

  /** Distance of the entry that was taken out last. */
  double distance() {
    return distance;
  }
}
