package dev.varve.benchmarks;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.cluster.ClusterExperiment;
import dev.varve.benchmarks.cluster.ClusterRun;
import dev.varve.benchmarks.cluster.QueryExperiment;
import dev.varve.benchmarks.cluster.QueryRun;
import dev.varve.benchmarks.index.IndexContender;
import dev.varve.benchmarks.index.IndexSettings;
import dev.varve.benchmarks.measure.Labelled;
import dev.varve.benchmarks.measure.Pace;
import dev.varve.benchmarks.report.Caveats;
import dev.varve.benchmarks.reproduce.Experiment;
import dev.varve.benchmarks.secondary.FigureJob;
import dev.varve.benchmarks.secondary.SecondaryFigure;
import dev.varve.benchmarks.store.StoreMemory;
import dev.varve.common.error.DiskException;
import dev.varve.report.Figures;
import dev.varve.report.command.ByteSize;
import dev.varve.report.command.CommandContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code varve reproduce}: the experiments of the paper on a cluster and with spatial indexes. */
@Command(
    name = "reproduce",
    sortOptions = false,
    description =
        "Run an experiment at a small scale, and say which of its paper's claims hold. Of Storage"
            + " Management in AsterixDB, section 6: ingestion into clusters whose nodes are processes with an I/O budget each (fig4a,"
            + " fig4b, fig4c, table2), also with queries (table3, fig5b, fig5c), or the LSM R-trees of Varve against Hyracks' R-tree, which"
            + " is changed in place (table4, fig5, fig6). Of On Performance Stability in LSM-based"
            + " Storage Systems, section 7: two secondary indexes, kept lazily and eagerly, under"
            + " writes that arrive at a pace (fig25, fig26, fig27), and queries beside them (fig28,"
            + " fig29).",
    footer = {
      "",
      "Nothing else should run on the machine. Ctrl-C ends it and removes its files.",
      "",
      "Examples:",
      "  varve reproduce fig4a",
      "  varve reproduce table2 --n 20000",
      "  varve reproduce table3 --queries 200",
      "  varve reproduce table4",
      "  varve reproduce fig6 --n 300000",
      "  varve reproduce fig26 --seconds 30"
    })
final class ReproduceCommand implements Callable<Integer> {
  /** Nothing is cut off. */
  private static final double CAP_SECONDS = 3_600;

  private static final long LEAST_BYTES = 1 << 20;

  private static final int POINTS = 5_000_000;
  private static final int RECORDS = 20_000;
  private static final long CLUSTER_MEMORY_BYTES = 1 << 20;
  private static final int FIGURE_RECORDS = 400_000;
  private static final int FIGURE_RECORD_BYTES = 512;
  private static final long FIGURE_READ_MICROS = 1_200;

  private final CommandContext context;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      paramLabel = "EXPERIMENT",
      arity = "1",
      description =
          "fig4a, fig4b, fig4c, table2, table3, fig5b, fig5c, table4, fig5 or fig6; fig25, fig26, fig27, fig28 or fig29.")
  private String label = "";

  @Option(
      names = {"-n", "--n"},
      paramLabel = "N",
      description =
          "Points, where the paper has 250 million; memory, cache and merged components shrink in"
              + " the same proportion (default: 5000000). On a cluster, records for each node"
              + " (default: 20000). With fig25 to fig29, records of 512 bytes (default: 400000).")
  private @Nullable Integer given;

  @Option(
      names = "--budget",
      paramLabel = "BYTES",
      converter = ByteSize.Converter.class,
      description =
          "What flushes and merges may write in a second: of each node of a cluster (default: 1m),"
              + " and with fig25 to fig29 (default: 20m).")
  private @Nullable ByteSize budget;

  @Option(
      names = "--queries",
      paramLabel = "N",
      defaultValue = "100",
      description =
          "With table3, how many queries after ingestion, and after compaction, where the paper has"
              + " 2000 (default: ${DEFAULT-VALUE}).")
  private int queries;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "90",
      description = "With fig25 to fig29, how long a phase lasts (default: ${DEFAULT-VALUE}).")
  private double seconds;

  @Option(
      names = "--read-micros",
      paramLabel = "MICROS",
      description =
          "What each read takes longer where it stands for a device's, since files of this size are"
              + " all in the system's page cache (default: 4000, as on the paper's disks; fig5:"
              + " 100, because with those the tree in place takes hours; fig25 to fig29: 1200, with"
              + " which 8 writers that look records up take what the paper's took, of what one"
              + " takes that does not).")
  private @Nullable Long readMicros;

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "42",
      description = "Of data and queries (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Mixin private OutputArguments output = new OutputArguments();

  ReproduceCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws BenchmarkException, DiskException {
    Optional<ClusterExperiment> onCluster =
        Labelled.find(ClusterExperiment.values(), label.toLowerCase(Locale.ROOT));
    if (onCluster.isPresent()) {
      return new ClusterReproduction(context, output).run(onCluster.get(), scale());
    }
    Optional<QueryExperiment> withQueries =
        Labelled.find(QueryExperiment.values(), label.toLowerCase(Locale.ROOT));
    if (withQueries.isPresent()) {
      return new QueryReproduction(context, output).run(withQueries.get(), scale(), asked());
    }
    Optional<SecondaryFigure> ofSecondaries =
        Labelled.find(SecondaryFigure.values(), label.toLowerCase(Locale.ROOT));
    if (ofSecondaries.isPresent()) {
      return new SecondaryReproduction(context, output).run(ofSecondaries.get(), figureScale());
    }
    int count = given == null ? POINTS : given;
    Experiment experiment =
        Labelled.find(Experiment.values(), label.toLowerCase(Locale.ROOT))
            .orElseThrow(() -> wrong("no experiment is called '" + label + "'"));
    long micros = readMicros == null ? experiment.readMicros() : readMicros;
    if (count < 1000 || micros < 0) {
      throw wrong("--n must be at least 1000, --read-micros not negative");
    }
    RunPlaces places = output.places(context);
    IndexSettings settings = settings(places, count, micros);
    List<IndexContender> contenders = experiment.contenders(settings);
    IndexRun.Plan plan =
        new IndexRun.Plan(
            BenchProcess.Kind.TREES,
            experiment.phases(),
            experiment.seconds(settings),
            new ComparisonRun.Frame(
                "reproduce " + experiment.label(),
                facts(experiment, settings),
                IndexRun.options(contenders),
                Caveats.OF_INDEXES,
                experiment::claims,
                sections -> experiment.plots(sections, count)));
    return new IndexRun(new ComparisonRun(context, places, false), output.form())
        .run(plan, contenders);
  }

  private IndexSettings settings(RunPlaces places, int count, long micros) {
    return new IndexSettings(
        places.scratch(),
        count,
        seed,
        micros * 1_000,
        new IndexSettings.Budget(
            1 << 15,
            new StoreMemory(
                scaled(count, Experiment.PAPER_CACHE_BYTES),
                scaled(count, Experiment.PAPER_MEMORY_BYTES)),
            "prefix(%d, 5)".formatted(scaled(count, Experiment.PAPER_MERGED_BYTES)),
            false),
        new Pace(1, 1, CAP_SECONDS));
  }

  private static long scaled(int count, long bytes) {
    return Math.max(LEAST_BYTES, Math.round((double) bytes * count / Experiment.PAPER_POINTS));
  }

  private Map<String, String> facts(Experiment experiment, IndexSettings settings) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("experiment", experiment.title());
    facts.put(
        "scale",
        "%s points, the paper 250 million: 1 to %d; cache %s, memory components %s, merge policy"
                .formatted(
                    Figures.count(settings.count()),
                    Experiment.PAPER_POINTS / settings.count(),
                    Figures.bytes(settings.budget().memory().cacheBytes()),
                    Figures.bytes(settings.budget().memory().writeBytes()))
            + " %s; pages as in the paper, 32 KiB, of the RTree 2 KiB; the RTree has cache and"
                .formatted(settings.budget().mergePolicy())
            + " memory together as its cache");
    facts.put(
        "reads",
        "each read takes %s \u00b5s longer %s; otherwise files are all in the system's page cache"
            .formatted(Figures.count(settings.readNanos() / 1_000), experiment.delayed()));
    facts.putAll(experiment.paper());
    return facts;
  }

  private ClusterRun.Scale scale() {
    try {
      return new ClusterRun.Scale(
          given == null ? RECORDS : given, CLUSTER_MEMORY_BYTES, budgetBytes(1 << 20));
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  private QueryRun.Asked asked() {
    try {
      return new QueryRun.Asked(queries, seed);
    } catch (IllegalArgumentException e) {
      throw wrong("--queries: " + e.getMessage());
    }
  }

  private FigureJob.Scale figureScale() {
    try {
      return new FigureJob.Scale(
          given == null ? FIGURE_RECORDS : given,
          FIGURE_RECORD_BYTES,
          budgetBytes(20 << 20),
          (readMicros == null ? FIGURE_READ_MICROS : readMicros) * 1_000,
          seconds);
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  private long budgetBytes(long unless) {
    return budget == null ? unless : budget.bytes();
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
