package dev.varve.simulator.reproduction;

/** A figure that can be drawn again; what it simulates is its own. Immutable. */
interface Reproducible {
  /** As options name it, {@code fig8} or {@code adoc-fig12}. */
  String name();

  /** Simulates every run and looks at every claim. */
  Reproduction reproduce();
}
