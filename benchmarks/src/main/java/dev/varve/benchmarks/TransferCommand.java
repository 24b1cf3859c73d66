package dev.varve.benchmarks;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.report.Caveats;
import dev.varve.benchmarks.report.Findings;
import dev.varve.benchmarks.report.Goal;
import dev.varve.benchmarks.report.Report;
import dev.varve.benchmarks.store.AccountStoreKind;
import dev.varve.benchmarks.transfer.TransferComparison;
import dev.varve.common.error.DiskException;
import dev.varve.report.Figures;
import dev.varve.report.command.CommandContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code varve bench transfer}: transactions beside sums over everything. */
@Command(
    name = "transfer",
    sortOptions = false,
    defaultValueProvider = OptionDefaults.class,
    description =
        "Transfer between accounts in transactions of 2, 10 and 100 records, and read single ones"
            + " without and beside a transaction that holds 1,000 locks, while one thread adds all"
            + " balances up as of one moment, in stores side by side, each in a process of its own;"
            + " and say how many sums were torn.",
    footer = {
      "",
      "Stores: varve, rocksdb (TransactionDB), rocksdb-optimistic, mvstore, xodus.",
      "Nothing else should run on the machine. Ctrl-C ends the stores and removes their files.",
      "",
      "Examples:",
      "  varve bench transfer",
      "  varve bench transfer --accounts 1000000 --seconds 60 --json"
    })
final class TransferCommand implements Callable<Integer> {
  private final CommandContext context;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--accounts",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "How many there are (default: ${DEFAULT-VALUE}).")
  private long accounts;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "60",
      description = "How long each store transfers and reads (default: ${DEFAULT-VALUE}).")
  private double seconds;

  @Option(
      names = "--threads",
      paramLabel = "T",
      defaultValue = "2",
      description = "Threads that transfer or read (default: ${DEFAULT-VALUE}).")
  private int threads;

  @Option(
      names = "--peer",
      paramLabel = "STORE",
      split = ",",
      defaultValue = "varve,rocksdb,rocksdb-optimistic,mvstore,xodus",
      description = "Stores that take part (default: ${DEFAULT-VALUE}).")
  private List<String> peers = List.of();

  @Mixin private OutputArguments output = new OutputArguments();

  /**
   * What is written as JSON.
   *
   * @param results what was measured
   * @param goals what that is held against
   * @param torn how many sums of each store were not the sum of all balances
   */
  private record Document(Findings results, List<Goal.Outcome> goals, Map<String, Long> torn) {}

  TransferCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws BenchmarkException, DiskException {
    if (accounts < 1_000 || !(seconds > 0) || threads < 1) {
      throw new ParameterException(
          spec.commandLine(), "--accounts must be at least 1000, --seconds and --threads above 0");
    }
    RunPlaces places = output.places(context);
    List<AccountStoreKind> stores =
        StoreArguments.named(AccountStoreKind.values(), peers, "store", spec);
    TransferComparison.Plan plan =
        new TransferComparison.Plan(places.scratch(), stores, accounts, threads, seconds);
    ComparisonRun run = new ComparisonRun(context, places, false);
    Report report = run.report(output.form());
    PhaseBars bars = new PhaseBars(context, report, seconds * stores.size());
    TransferComparison comparison =
        new TransferComparison(
            plan,
            context.files(),
            BenchProcess.starter(BenchProcess.Kind.TRANSFER, places.logs(), context.executor()),
            bars);
    Map<String, String> options = new LinkedHashMap<>();
    stores.forEach(store -> options.put(store.label(), store.options()));
    ComparisonRun.Frame frame =
        new ComparisonRun.Frame(
            "bench transfer",
            Map.of(
                "data",
                Figures.count(accounts) + " accounts, keys and balances of eight bytes",
                "threads",
                threads + " that transfer or read, one that adds up"),
            options,
            Caveats.OF_TRANSFERS,
            sections ->
                TransferComparison.goals().stream().map(goal -> goal.check(sections)).toList(),
            sections -> List.of());
    return run.run(
        "transfers with " + String.join(", ", peers),
        (seconds + accounts / 200e3) * stores.size(),
        comparison::stop,
        () -> {
          try (bars) {
            Findings findings = run.findings(frame, comparison::run);
            List<Goal.Outcome> goals = frame.goals().apply(findings.sections());
            report.finish(
                new Document(findings, goals, TransferComparison.torn(findings.sections())),
                findings,
                goals,
                List.of());
          }
        });
  }
}
