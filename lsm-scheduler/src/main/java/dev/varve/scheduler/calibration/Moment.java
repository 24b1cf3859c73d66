package dev.varve.scheduler.calibration;

import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergeDecision;

/**
 * A policy was asked.
 *
 * @param seconds when, since the beginning of the recording
 * @param shape what it saw
 * @param decision what it said
 */
public record Moment(double seconds, IndexShape shape, MergeDecision decision) {}
