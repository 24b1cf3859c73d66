package dev.varve.transaction.log;

/**
 * What a log has done since it was opened.
 *
 * @param records records appended, seals included
 * @param bytes bytes appended
 * @param forces times the log was forced
 * @param forcesShared waits for durability that another thread's force ended
 * @param segmentsZeroed segments allocated by writing zeros
 * @param segmentsRecycled segments taken from released ones
 * @param segmentWaits appends that found no segment prepared and waited for one
 * @param segments segments that recovery would read now, the active one included
 */
public record LogStats(
    long records,
    long bytes,
    long forces,
    long forcesShared,
    long segmentsZeroed,
    long segmentsRecycled,
    long segmentWaits,
    int segments) {}
