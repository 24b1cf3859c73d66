package dev.varve.benchmarks.child;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The children of a run, which all end when it is stopped. Confined to the main thread, but for
 * {@link #stop}.
 */
public final class Children implements ChildStarter {
  private final ChildStarter starter;
  private final Set<ChildLink> started = ConcurrentHashMap.newKeySet();
  private volatile boolean stopped;

  /** Children that a starter starts. */
  public Children(ChildStarter starter) {
    this.starter = starter;
  }

  @Override
  public ChildLink start(String name, List<String> jvmArguments) throws BenchmarkException {
    ChildLink link = starter.start(name, jvmArguments);
    started.add(link);
    return link;
  }

  /** Kills all; may be called from any thread. */
  public void stop() {
    stopped = true;
    started.forEach(ChildLink::kill);
  }

  /** Whether a failure is what {@link #stop} did. */
  public boolean stopped() {
    return stopped;
  }
}
