package dev.varve.dataset;

import dev.varve.common.env.Clock;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.SystemClock;
import dev.varve.common.env.TaskExecutor;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.common.merge.MergePolicy;
import java.security.SecureRandom;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * The engine's doors to the world outside; tests pass others.
 *
 * @param files files
 * @param clock time
 * @param executor threads and waiting
 * @param random randomness: the identity of a new store
 * @param policies what an index's merge policy becomes before the index uses it: who wants to see
 *     every shape and every decision of an index puts something around it that decides alike
 * @param limits what the process has of heap and files
 */
public record EngineSeams(
    FileSystem files,
    Clock clock,
    TaskExecutor executor,
    RandomGenerator random,
    UnaryOperator<MergePolicy> policies,
    ProcessLimits limits) {
  /** The same doors, policies as they are, and the limits of this process. */
  public EngineSeams(FileSystem files, Clock clock, TaskExecutor executor, RandomGenerator random) {
    this(files, clock, executor, random, UnaryOperator.identity(), ProcessLimits.ofProcess());
  }

  /** The system's clock, threads and randomness, beside some files. */
  public static EngineSeams ofSystem(FileSystem files) {
    return new EngineSeams(files, new SystemClock(), new ThreadTaskExecutor(), new SecureRandom());
  }

  /** The same doors, and policies as they become. */
  public EngineSeams withPolicies(UnaryOperator<MergePolicy> others) {
    return new EngineSeams(files, clock, executor, random, others, limits);
  }

  /** The same doors to other files. */
  EngineSeams withFiles(FileSystem others) {
    return new EngineSeams(others, clock, executor, random, policies, limits);
  }

  /** The same doors, in a process that has this. */
  public EngineSeams withLimits(ProcessLimits others) {
    return new EngineSeams(files, clock, executor, random, policies, others);
  }
}
