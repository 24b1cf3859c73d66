package dev.varve.transaction.log;

/**
 * The part of the stream that one segment holds.
 *
 * @param segment id of the segment
 * @param firstLsn LSN of its first record
 * @param endLsn LSN behind its last record
 */
public record SegmentSpan(long segment, long firstLsn, long endLsn) {}
