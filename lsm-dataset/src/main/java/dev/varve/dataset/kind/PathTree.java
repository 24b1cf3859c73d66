package dev.varve.dataset.kind;

import dev.varve.dataset.model.FieldPath;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The paths of a schema as a tree of field names, so that a record is matched against all of them
 * in one pass. Each distinct path that is indexed has a slot for its value. Immutable once built.
 */
final class PathTree {
  /** A field on the way to, or at the end of, a path. */
  static final class Node {
    private final Map<String, Node> children = new LinkedHashMap<>();
    private String[] names = {};
    private Node[] nodes = {};
    private int slot = -1;
    private int spatial = -1;
    private int text = -1;

    private Node() {}

    /** The field of this name below this one, if a path goes there. */
    @Nullable Node child(String name) {
      for (int i = 0; i < names.length; i++) {
        if (names[i].equals(name)) {
          return nodes[i];
        }
      }
      return null;
    }

    /** Where the value of this field goes as a part of keys, or -1. */
    int slot() {
      return slot;
    }

    /** Where the value of this field goes as a point or rectangle, or -1. */
    int spatial() {
      return spatial;
    }

    /** Where the value of this field goes as a text, or -1. */
    int text() {
      return text;
    }

    private void freeze() {
      names = children.keySet().toArray(new String[0]);
      nodes = children.values().toArray(new Node[0]);
      children.values().forEach(Node::freeze);
    }
  }

  private final Node root = new Node();
  private final List<FieldPath> slots = new ArrayList<>();
  private final int[] primaryKey;
  private final int[][] secondaries;
  private final int filter;
  private int spatialCount;
  private int textCount;

  PathTree(RecordSchema schema) {
    primaryKey = slotsOf(schema.primaryKey());
    secondaries = new int[schema.secondaries().size()][];
    for (int i = 0; i < secondaries.length; i++) {
      RecordSchema.Secondary secondary = schema.secondaries().get(i);
      secondaries[i] =
          switch (secondary.reading()) {
            case KEY -> slotsOf(secondary.paths());
            case SPATIAL -> new int[] {spatialSlot(secondary.paths().get(0))};
            case TEXT -> new int[] {textSlot(secondary.paths().get(0))};
          };
    }
    FieldPath filterField = schema.filterField();
    filter = filterField == null ? -1 : slotsOf(List.of(filterField))[0];
    root.freeze();
  }

  Node root() {
    return root;
  }

  /** Number of slots. */
  int slotCount() {
    return slots.size();
  }

  /** The path whose value is in a slot. */
  FieldPath path(int slot) {
    return slots.get(slot);
  }

  /** The slots that make the primary key, in order. */
  int[] primaryKey() {
    return primaryKey;
  }

  /** For each secondary the slots that make its key, in order, or the one of its value. */
  int[][] secondaries() {
    return secondaries;
  }

  /** The slot of the value that components are filtered by, or -1. */
  int filter() {
    return filter;
  }

  /** Number of slots for points and rectangles. */
  int spatialCount() {
    return spatialCount;
  }

  /** Number of slots for texts. */
  int textCount() {
    return textCount;
  }

  private Node nodeAt(FieldPath path) {
    Node node = root;
    for (String step : path.steps()) {
      node = node.children.computeIfAbsent(step, name -> new Node());
    }
    return node;
  }

  private int spatialSlot(FieldPath path) {
    Node node = nodeAt(path);
    if (node.spatial < 0) {
      node.spatial = spatialCount++;
    }
    return node.spatial;
  }

  private int textSlot(FieldPath path) {
    Node node = nodeAt(path);
    if (node.text < 0) {
      node.text = textCount++;
    }
    return node.text;
  }

  private int[] slotsOf(List<FieldPath> paths) {
    int[] found = new int[paths.size()];
    for (int i = 0; i < found.length; i++) {
      Node node = nodeAt(paths.get(i));
      if (node.slot < 0) {
        node.slot = slots.size();
        slots.add(paths.get(i));
      }
      found[i] = node.slot;
    }
    return found;
  }
}
