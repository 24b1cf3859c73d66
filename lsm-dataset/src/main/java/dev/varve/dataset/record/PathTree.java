package dev.varve.dataset.record;

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

    /** Where the value of this field goes, or -1. */
    int slot() {
      return slot;
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
  private final int[][] secondaryKeys;

  PathTree(RecordSchema schema) {
    primaryKey = slotsOf(schema.primaryKey());
    secondaryKeys = new int[schema.secondaryKeys().size()][];
    for (int i = 0; i < secondaryKeys.length; i++) {
      secondaryKeys[i] = slotsOf(schema.secondaryKeys().get(i));
    }
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

  /** For each secondary the slots that make its key, in order. */
  int[][] secondaryKeys() {
    return secondaryKeys;
  }

  private int[] slotsOf(List<FieldPath> paths) {
    int[] found = new int[paths.size()];
    for (int i = 0; i < found.length; i++) {
      Node node = root;
      for (String step : paths.get(i).steps()) {
        node = node.children.computeIfAbsent(step, name -> new Node());
      }
      if (node.slot < 0) {
        node.slot = slots.size();
        slots.add(paths.get(i));
      }
      found[i] = node.slot;
    }
    return found;
  }
}
