/** A primary index and its secondaries kept in agreement, one engine that wires every part. */
@org.jspecify.annotations.NullMarked
package dev.varve.dataset;
