package dev.varve.dataset.engine;

import dev.varve.common.env.Clock;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.TaskExecutor;
import java.util.random.RandomGenerator;

/**
 * The engine's four doors to the world outside; tests pass others.
 *
 * @param files files
 * @param clock time
 * @param executor threads and waiting
 * @param random randomness: the identity of a new store
 */
public record EngineSeams(
    FileSystem files, Clock clock, TaskExecutor executor, RandomGenerator random) {}
