/**
 * Operators for datasets: a feed and its hash partitioning, writes that keep all indexes of a
 * record in one transaction, a bulk load that leaves nothing behind when it fails, scans and
 * searches, flush, compact, verify and statistics.
 *
 * <p>May use: {@code adapter}, {@code feed} and what is below them, Hyracks' dataflow interfaces.
 * Threads: descriptors are immutable and travel inside jobs by Java serialization; what they create
 * is confined to the task that runs it. Owns and closes: an operator closes the sessions, cursors
 * and loaders it opens, whichever way the job ends. Format: tuples of two byte fields, {@link
 * dev.varve.hyracks.operator.RecordTuples}.
 */
@NullMarked
package dev.varve.hyracks.operator;

import org.jspecify.annotations.NullMarked;
