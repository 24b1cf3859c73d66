package dev.varve.benchmarks.sustainable;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.child.ChildLink;
import dev.varve.benchmarks.child.ChildStarter;
import dev.varve.benchmarks.child.Children;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs each phase in a JVM of its own, so that none inherits another's heap, compiled code or
 * files. Confined to the main thread, but for {@link #stop}.
 */
public final class PhaseProcess implements PhaseRunner {
  private static final List<String> JVM_ARGUMENTS = List.of("-Xmx1g");

  /** What a load may take, before and on top of the phase itself, before a child is hung. */
  private static final double PATIENCE_SECONDS = 3_600;

  private final Children children;
  private final Path directory;

  /** Processes whose engines have their files in a directory. */
  public PhaseProcess(ChildStarter starter, Path directory) {
    this.children = new Children(starter);
    this.directory = directory;
  }

  @Override
  public PhaseOutcome run(PhaseRequest request) throws BenchmarkException {
    try (ChildLink child = children.start("twophase", JVM_ARGUMENTS)) {
      double seconds = 2 * request.time().seconds() + PATIENCE_SECONDS;
      PhaseOutcome outcome =
          child.ask(
              new PhaseServer.Job(request, directory), PhaseOutcome.class, seconds, share -> {});
      if (outcome == null) {
        throw new BenchmarkException("the process said nothing");
      }
      return outcome;
    } catch (BenchmarkException failure) {
      throw new BenchmarkException(request.label() + ": " + failure.getMessage(), failure);
    }
  }

  /** Ends the phase that is under way, with an exception; may be called from any thread. */
  public void stop() {
    children.stop();
  }
}
