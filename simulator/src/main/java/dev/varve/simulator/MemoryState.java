package dev.varve.simulator;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The memory components of a node: one takes writes, those that are full are flushed one after the
 * other. Confined to the simulation.
 */
final class MemoryState {
  private static final double NO_WRITES = 1e-6;

  private final SimulatedNode node;
  private final List<SimulatedTree> trees;
  private final double capacity;
  private final Deque<Double> flushLeftBytes = new ArrayDeque<>();
  private double taken;

  MemoryState(SimulatedNode node, List<SimulatedTree> trees) {
    this.node = node;
    this.trees = trees;
    this.capacity = updatesThatFill();
  }

  private double updatesThatFill() {
    double low = 0;
    double high = 1;
    while (bytes(high) < node.memoryBytes()) {
      low = high;
      high *= 2;
      if (high > 1e15) {
        throw new IllegalArgumentException("all keys together never fill the memory component");
      }
    }
    for (int i = 0; i < 80; i++) {
      double middle = (low + high) / 2;
      if (bytes(middle) < node.memoryBytes()) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  private double bytes(double updates) {
    return trees.stream()
        .mapToDouble(tree -> tree.keys().entries(0, updates) * tree.entryBytes())
        .sum();
  }

  /** How many updates fill a memory component. */
  double capacity() {
    return capacity;
  }

  /** How many updates the current component takes until it is full. */
  double room() {
    return capacity - taken;
  }

  /** Whether the current component takes writes. */
  boolean hasRoom() {
    return room() > NO_WRITES && flushLeftBytes.size() < node.memoryComponents();
  }

  /** Whether the current component can be sealed: another one is free to take its place. */
  boolean canSeal() {
    return flushLeftBytes.size() < Math.max(1, node.memoryComponents() - 1);
  }

  /** The current component is sealed, if it is full, and will be flushed. */
  void seal() {
    if (room() <= NO_WRITES) {
      flushLeftBytes.addLast(bytes(capacity));
      taken = 0;
    }
  }

  /** The current component is sealed as it is, and merged from memory. */
  double sealForMerge() {
    double updates = taken;
    taken = 0;
    return updates;
  }

  /** How much of the current component is written, from 0 to 1. */
  double part() {
    return taken / capacity;
  }

  void take(double updates) {
    taken += updates;
  }

  /** Bytes in all components, those that are being flushed included. */
  long bytes() {
    return Math.round((part() + flushLeftBytes.size()) * node.memoryBytes());
  }

  /** Where memory is full. */
  long limit() {
    return node.memoryBytes() * node.memoryComponents();
  }

  boolean isFlushing() {
    return !flushLeftBytes.isEmpty();
  }

  /** What the running flush has still to write. */
  double flushLeft() {
    return flushLeftBytes.getFirst();
  }

  void flush(double bytes) {
    flushLeftBytes.addFirst(flushLeftBytes.removeFirst() - bytes);
  }

  /** Whether the running flush is done; if so, it is no more. */
  boolean endFlush() {
    if (flushLeftBytes.isEmpty() || flushLeftBytes.getFirst() > MergeWork.NO_BYTES) {
      return false;
    }
    flushLeftBytes.removeFirst();
    return true;
  }
}
