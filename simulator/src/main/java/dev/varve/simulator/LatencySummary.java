package dev.varve.simulator;

/**
 * Latencies of all writes, in seconds.
 *
 * @param writes how many
 * @param mean their mean
 * @param p50 half of them took at most this
 * @param p90 nine of ten
 * @param p99 99 of a hundred
 * @param p999 999 of a thousand
 * @param max the longest
 */
public record LatencySummary(
    double writes, double mean, double p50, double p90, double p99, double p999, double max) {}
