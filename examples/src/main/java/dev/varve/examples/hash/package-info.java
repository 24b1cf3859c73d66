/**
 * A hash index made an LSM index: what docs/LSMIFY.md builds step by step. What it does not have to
 * do is the point of it.
 *
 * <p>May use: lsm-common, and lsm-btree for deleted keys. Threads: indexes are thread-safe,
 * builders and cursors confined to one thread. Owns and closes: nothing. Format: as HashBuilder
 * says; an example has no page of its own.
 */
@NullMarked
package dev.varve.examples.hash;

import org.jspecify.annotations.NullMarked;
