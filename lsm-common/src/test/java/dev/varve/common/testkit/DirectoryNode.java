package dev.varve.common.testkit;

import java.util.TreeMap;

/** A simulated directory: the entries that the process sees, and those that are forced. */
final class DirectoryNode implements Node {
  final TreeMap<String, Node> live = new TreeMap<>();
  final TreeMap<String, Node> durable = new TreeMap<>();
}
