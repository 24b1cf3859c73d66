package dev.varve.dataset.kind;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The field names seen so far in each open object of a record, to find one that comes twice.
 * Objects with few fields, which are nearly all, cost a scan over an array and no allocation.
 * Confined to a reader.
 */
final class FieldNames {
  private static final int FEW = 32;

  private String[] names = new String[64];
  private int count;
  private int[] starts = new int[16];
  private int depth = -1;
  private final List<Set<String>> many = new ArrayList<>();

  /** Forgets everything. */
  void reset() {
    while (depth >= 0) {
      leave();
    }
  }

  /** An object begins. */
  void enter() {
    depth++;
    if (depth == starts.length) {
      starts = Arrays.copyOf(starts, 2 * depth);
    }
    starts[depth] = count;
    if (many.size() <= depth) {
      many.add(new HashSet<>());
    }
  }

  /** The innermost object ends. */
  void leave() {
    Arrays.fill(names, starts[depth], count, null);
    count = starts[depth];
    if (!many.get(depth).isEmpty()) {
      many.set(depth, new HashSet<>());
    }
    depth--;
  }

  /** Adds a name to the innermost object; false when it is there already. */
  boolean add(String name) {
    int start = starts[depth];
    if (count - start >= FEW) {
      return addToMany(name, start);
    }
    for (int i = start; i < count; i++) {
      if (names[i].equals(name)) {
        return false;
      }
    }
    if (count == names.length) {
      names = Arrays.copyOf(names, 2 * count);
    }
    names[count++] = name;
    return true;
  }

  private boolean addToMany(String name, int start) {
    Set<String> set = many.get(depth);
    if (set.isEmpty()) {
      set.addAll(Arrays.asList(names).subList(start, count));
    }
    return set.add(name);
  }
}
