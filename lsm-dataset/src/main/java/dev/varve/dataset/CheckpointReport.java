package dev.varve.dataset;

import java.nio.file.Path;

/**
 * A checkpoint of an engine that was taken.
 *
 * @param directory where it is; an engine opens it as any other store
 * @param components files of indexes in it
 * @param componentBytes their size; linked files take no space of their own
 * @param endLsn where its log ends: what was acknowledged as durable below is in it
 * @param rounds how often the files of indexes were looked at until none had changed
 */
public record CheckpointReport(
    Path directory, long components, long componentBytes, long endLsn, int rounds) {}
