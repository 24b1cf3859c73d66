package dev.varve.benchmarks.store;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.common.env.TaskExecutor;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.common.env.Worker;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.lmdbjava.Env;

/**
 * Forces an LMDB environment each time that as many bytes were put as fill a memory component of an
 * LSM store, in a thread of its own as those flush. Without it a power loss might take all of it,
 * where the LSM stores force each component that they write, and lose what was in memory at most.
 * And its file's pages would count as written once, however often they changed. Thread-safe; closed
 * by the store, before the environment.
 */
final class LmdbForcing implements Worker, AutoCloseable {
  private final Env<ByteBuffer> env;
  private final long intervalBytes;
  private final AtomicLong putBytes = new AtomicLong();
  private final TaskExecutor.Handle thread;
  private volatile long forces;
  private volatile @Nullable Throwable failure;

  LmdbForcing(Env<ByteBuffer> env, long intervalBytes) {
    this.env = env;
    this.intervalBytes = intervalBytes;
    this.thread = new ThreadTaskExecutor().start(this);
  }

  /** Counts bytes that were committed. */
  void committed(long bytes) {
    if (putBytes.addAndGet(bytes) >= intervalBytes) {
      thread.wake();
    }
  }

  /** How often it forced by itself so far. */
  long forces() {
    return forces;
  }

  /** Forces what was put since; throws what another force threw before. */
  void settle() throws BenchmarkException {
    requireNoFailure();
    env.sync(true);
  }

  @Override
  public String name() {
    return "lmdb-force";
  }

  @Override
  @SuppressWarnings("NonAtomicVolatileUpdate") // written by this thread alone
  public int doWork() {
    if (putBytes.get() < intervalBytes) {
      return 0;
    }
    putBytes.set(0);
    env.sync(true);
    forces++;
    return 1;
  }

  @Override
  public void failed(Throwable cause) {
    failure = cause;
  }

  /** Waits for a force that is under way. */
  @Override
  public void close() throws BenchmarkException {
    thread.close();
    requireNoFailure();
  }

  private void requireNoFailure() throws BenchmarkException {
    Throwable cause = failure;
    if (cause != null) {
      throw new BenchmarkException("force", cause);
    }
  }
}
