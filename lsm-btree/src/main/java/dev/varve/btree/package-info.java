/** Sorted components as B+-trees: in memory for writes, bulk-built on pages for reads. */
@org.jspecify.annotations.NullMarked
package dev.varve.btree;
