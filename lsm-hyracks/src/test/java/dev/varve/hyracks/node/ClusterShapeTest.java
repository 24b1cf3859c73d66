package dev.varve.hyracks.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** Goal: a shape is within its bounds. */
final class ClusterShapeTest {
  @Test
  void reportsAllProblemsAtOnce() {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> new ClusterShape(0, 65));
    assertEquals(
        "nodes 0 is not between 1 and 64; partitionsPerNode 65 is not between 1 and 64",
        refused.getMessage());
  }
}
