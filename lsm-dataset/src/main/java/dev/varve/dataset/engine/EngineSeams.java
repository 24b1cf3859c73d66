package dev.varve.dataset.engine;

import dev.varve.common.env.Clock;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.TaskExecutor;
import dev.varve.common.merge.MergePolicy;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * The engine's four doors to the world outside; tests pass others.
 *
 * @param files files
 * @param clock time
 * @param executor threads and waiting
 * @param random randomness: the identity of a new store
 * @param policies what an index's merge policy becomes before the index uses it: who wants to see
 *     every shape and every decision of an index puts something around it that decides alike
 */
public record EngineSeams(
    FileSystem files,
    Clock clock,
    TaskExecutor executor,
    RandomGenerator random,
    UnaryOperator<MergePolicy> policies) {
  /** The same doors, and policies as they are. */
  public EngineSeams(FileSystem files, Clock clock, TaskExecutor executor, RandomGenerator random) {
    this(files, clock, executor, random, UnaryOperator.identity());
  }

  /** The same doors, and policies as they become. */
  public EngineSeams withPolicies(UnaryOperator<MergePolicy> others) {
    return new EngineSeams(files, clock, executor, random, others);
  }
}
