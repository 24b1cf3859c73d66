package dev.varve.benchmarks.ycsb;

import dev.varve.benchmarks.measure.Measurement;

/**
 * What came of a pass.
 *
 * @param measurement of it
 * @param inserted records that are in the store since
 */
record YcsbAnswer(Measurement measurement, long inserted) {}
