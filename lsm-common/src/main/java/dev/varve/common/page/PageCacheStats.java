package dev.varve.common.page;

/**
 * What a cache did so far, and what it holds.
 *
 * @param hits pins that found their page, and reads of it that needed no pin
 * @param misses pins that read their page from disk
 * @param readAhead pages that came before anybody asked: with a missing one that they follow, by
 *     warming, or when they were written
 * @param evictions pages pushed out to make room
 * @param overruns times that a page was read although everything in the budget was pinned
 * @param bytes bytes of page buffers, free ones included
 * @param heldBytes of these, bytes that are pinned until their file is closed
 * @param budgetBytes bytes that the cache may use
 */
public record PageCacheStats(
    long hits,
    long misses,
    long readAhead,
    long evictions,
    long overruns,
    long bytes,
    long heldBytes,
    long budgetBytes) {
  /** What two caches did and hold together. */
  PageCacheStats plus(PageCacheStats other) {
    return new PageCacheStats(
        hits + other.hits,
        misses + other.misses,
        readAhead + other.readAhead,
        evictions + other.evictions,
        overruns + other.overruns,
        bytes + other.bytes,
        heldBytes + other.heldBytes,
        budgetBytes + other.budgetBytes);
  }
}
