package dev.varve.benchmarks.index;

import dev.varve.benchmarks.kv.Answer;
import dev.varve.benchmarks.kv.BenchmarkException;
import dev.varve.benchmarks.kv.Measurement;
import dev.varve.benchmarks.report.Section;
import dev.varve.benchmarks.store.StoreException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleConsumer;

/** Runs a comparison with all stores in this process, one server for each. */
public final class InProcess {
  private InProcess() {}

  private static final class Link implements IndexLink {
    private final IndexServer server;

    Link(IndexServer server) {
      this.server = server;
    }

    @Override
    public Measurement ask(IndexRequest request, double seconds, DoubleConsumer progress)
        throws BenchmarkException {
      Answer answer = server.answer(request, said -> progress.accept(said.progress()));
      if (answer.measurement() == null) {
        throw new BenchmarkException(String.valueOf(answer.problem()));
      }
      return answer.measurement();
    }

    @Override
    public void kill() {
      throw new AssertionError("nobody stops it");
    }

    @Override
    public void close() {
      try {
        server.close();
      } catch (StoreException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** The sections of a comparison. */
  public static List<Section> run(
      List<IndexContender> contenders, List<IndexPhase> phases, IndexBench.Opener opener)
      throws Exception {
    for (IndexContender contender : contenders) {
      Files.createDirectories(contender.settings().directory());
    }
    List<Section> watched = new ArrayList<>();
    IndexComparison comparison =
        new IndexComparison(
            contenders,
            phases,
            contender -> new Link(new IndexServer(opener)),
            new IndexComparison.Watcher() {
              @Override
              public void begins(IndexPhase phase) {
                // Tests wait for the end.
              }

              @Override
              public void progress(double share, String what) {
                // Tests wait for the end.
              }

              @Override
              public void ended(Section section) {
                watched.add(section);
              }
            });
    List<Section> sections = comparison.run();
    if (!sections.equals(watched)) {
      throw new AssertionError("watched " + watched);
    }
    return sections;
  }
}
