package dev.varve.benchmarks.jmh;

import dev.varve.common.bytes.KeyHash;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.common.error.ConflictException;
import dev.varve.transaction.lock.LockMode;
import dev.varve.transaction.lock.LockOwner;
import dev.varve.transaction.lock.LockTable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Locks on keys that nobody else wants. */
@State(Scope.Thread)
public class LockBenchmark {
  private final LockTable table = new LockTable(new ThreadTaskExecutor());
  private final LockOwner owner = table.newOwner();
  private long step;

  /** Locks a key exclusively, and gives it back. */
  @Benchmark
  public LockOwner lockAndRelease() throws ConflictException {
    table.lock(owner, KeyHash.mix(step++), LockMode.EXCLUSIVE, 0);
    table.releaseAll(owner);
    return owner;
  }

  /** Looks whether a key is locked by another, as every read of memory does. */
  @Benchmark
  public boolean askIfLocked() {
    return table.exclusivelyLockedByOther(KeyHash.mix(step++), owner);
  }
}
