package dev.varve.benchmarks.index;

import dev.varve.benchmarks.child.DirectLink;
import dev.varve.benchmarks.report.Section;
import dev.varve.benchmarks.report.SectionWatcher;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/** Runs a comparison with all stores in this process, one server for each. */
public final class InProcess {
  private InProcess() {}

  /** The sections of a comparison. */
  public static List<Section> run(
      List<IndexContender> contenders, List<IndexPhase> phases, IndexBench.Opener opener)
      throws Exception {
    for (IndexContender contender : contenders) {
      Files.createDirectories(contender.settings().directory());
    }
    List<IndexServer> servers = new ArrayList<>();
    List<Section> watched = new ArrayList<>();
    IndexComparison comparison =
        new IndexComparison(
            contenders,
            phases,
            (name, jvmArguments) -> {
              IndexServer server = new IndexServer(opener);
              servers.add(server);
              return new DirectLink<>(server);
            },
            new SectionWatcher() {
              @Override
              public void begins(String id, double seconds) {
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
    for (IndexServer server : servers) {
      server.close();
    }
    if (!sections.equals(watched)) {
      throw new AssertionError("watched " + watched);
    }
    return sections;
  }
}
