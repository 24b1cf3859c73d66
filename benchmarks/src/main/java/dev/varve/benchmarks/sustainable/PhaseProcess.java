package dev.varve.benchmarks.sustainable;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.child.ChildLink;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Runs each phase in a JVM of its own, so that none inherits another's heap, compiled code or
 * files. Confined to the main thread, but for {@link #stop}.
 */
final class PhaseProcess implements PhaseRunner {
  private static final List<String> JVM_ARGUMENTS = List.of("-Xmx1g");

  /** What a load may take, before and on top of the phase itself, before a child is hung. */
  private static final double PATIENCE_SECONDS = 3_600;

  private final PhaseRunner.Starter starter;
  private final Path directory;
  private final AtomicReference<@Nullable ChildLink> running = new AtomicReference<>();

  /** Processes whose engines have their files in a directory. */
  PhaseProcess(PhaseRunner.Starter starter, Path directory) {
    this.starter = starter;
    this.directory = directory;
  }

  @Override
  public PhaseOutcome run(PhaseRequest request) throws BenchmarkException {
    try (ChildLink child = starter.start(JVM_ARGUMENTS)) {
      assert running.get() == null : "one phase at a time";
      running.set(child);
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
    } finally {
      running.set(null);
    }
  }

  @Override
  public void stop() {
    ChildLink child = running.getAndSet(null);
    if (child != null) {
      child.kill();
    }
  }
}
