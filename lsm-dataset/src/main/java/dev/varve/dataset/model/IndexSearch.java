package dev.varve.dataset.model;

/**
 * What a secondary index is asked. A kind that is a plug-in may bring searches of its own, and may
 * answer those that there are. A search that an index's kind does not answer is refused with a
 * {@code RequestException} for {@code UNSUPPORTED}. Immutable values; what {@code toString} says
 * stands in that refusal.
 */
public interface IndexSearch {}
