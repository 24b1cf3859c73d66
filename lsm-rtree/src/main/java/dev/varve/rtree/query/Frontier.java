package dev.varve.rtree.query;

import dev.varve.common.error.StorageException;
import dev.varve.common.index.Entry;
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
  /** A branch, or a leaf with its nearest entry that is left. */
  private static final class Item implements Comparable<Item> {
    final int age;
    final @Nullable Object branch;
    final @Nullable Ranking leaf;
    double distance;

    Item(int age, @Nullable Object branch, @Nullable Ranking leaf, double distance) {
      this.age = age;
      this.branch = branch;
      this.leaf = leaf;
      this.distance = distance;
    }

    @Override
    public int compareTo(Item other) {
      int order = Double.compare(distance, other.distance);
      if (order != 0) {
        return order;
      }
      if (leaf == null || other.leaf == null) {
        return Boolean.compare(leaf != null, other.leaf != null);
      }
      order = leaf.nearest().key().compareBytes(other.leaf.nearest().key());
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
  Frontier(double x, double y, List<SpatialSource> sources) {
    this.x = x;
    this.y = y;
    this.sources = sources;
    for (int age = 0; age < sources.size(); age++) {
      items.add(new Item(age, null, null, 0));
    }
  }

  /** Distance of a box from the point. */
  public double distance(double lowX, double lowY, double highX, double highY) {
    return Distances.of(Distances.outside(x, lowX, highX), Distances.outside(y, lowY, highY));
  }

  /**
   * Takes a branch of the source that is being expanded.
   *
   * @param least no entry below is nearer
   */
  public void offerBranch(Object branch, double least) {
    items.add(new Item(expanding, branch, null, least));
  }

  /**
   * Takes a leaf of the source that is being expanded.
   *
   * @param distances of each entry; taken over
   */
  public void offerLeaf(LeafEntries entries, double[] distances) throws StorageException {
    Ranking ranking = new Ranking(entries, distances);
    if (ranking.advance()) {
      items.add(new Item(expanding, null, ranking, ranking.distance()));
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
      Ranking leaf = item.leaf;
      if (leaf == null) {
        expanding = item.age;
        sources.get(item.age).expand(item.branch, this);
        continue;
      }
      double here = item.distance;
      found.copyOf(leaf.nearest());
      if (leaf.advance()) {
        item.distance = leaf.distance();
        items.add(item);
      }
      // Nearer than what went before can only be what was put since the search began.
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
