package dev.varve.cli.command;

import dev.varve.common.error.StorageException;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.PlacementOptions;
import dev.varve.hyracks.node.Cluster;
import dev.varve.hyracks.node.ClusterProcesses;
import dev.varve.hyracks.node.ClusterShape;
import dev.varve.hyracks.node.JobFailedException;
import dev.varve.report.Console;
import dev.varve.report.Figures;
import dev.varve.report.Table;
import dev.varve.report.command.CommandContext;
import dev.varve.report.command.FailureReport;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code varve cluster}: a cluster whose controller and nodes are processes of their own. */
@Command(
    name = "cluster",
    description =
        "Start, look at and stop a cluster whose controller and nodes are processes of their own on"
            + " this machine. While it runs, the other commands find it by its directory.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  varve cluster start --dir /tmp/tweets --nodes 2",
      "  varve ingest --dir /tmp/tweets --tweets 100000",
      "  varve cluster kill-node --dir /tmp/tweets node-1",
      "  varve cluster restart-node --dir /tmp/tweets node-1",
      "  varve cluster stop --dir /tmp/tweets"
    })
public final class ClusterCommand implements Runnable {
  private static final ClusterShape DEFAULT_SHAPE = new ClusterShape(2, 2);

  private final CommandContext context;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this help and exit.")
  boolean help;

  /** What each process is started with. */
  static final class ProcessArguments {
    @Option(
        names = "--heap",
        paramLabel = "SIZE",
        defaultValue = "512m",
        description = "Heap of each process, as the JVM's -Xmx has it (default: 512m).")
    String heap = "";

    @Mixin NodeArguments node = new NodeArguments();
  }

  /** A command that prints to a context's console. */
  public ClusterCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }

  private Console console() {
    return context.console();
  }

  private static ClusterProcesses processes(CommonOptions common) {
    return new ClusterProcesses(common.directory);
  }

  /** The JVM and the class path of this process, with another heap. */
  private static ClusterProcesses.Jvm jvm(String heap) {
    return new ClusterProcesses.Jvm(
        ProcessHandle.current().info().command().orElse("java"),
        ManagementFactory.getRuntimeMXBean().getClassPath(),
        heap);
  }

  /** Runs with the name of a process, which may be none of the cluster's. */
  private interface Named {
    void run() throws StorageException, JobFailedException;
  }

  private void named(Named action) throws StorageException, JobFailedException {
    try {
      action.run();
    } catch (IllegalArgumentException unknown) {
      throw new ParameterException(spec.commandLine(), String.valueOf(unknown.getMessage()));
    }
  }

  /** Starts the processes. */
  @Command(
      name = "start",
      sortOptions = false,
      description =
          "Start a controller and the nodes, which go on when this command has ended; make the"
              + " cluster first where the directory is empty or absent.")
  int start(
      @Mixin CommonOptions common,
      @Option(
              names = "--nodes",
              paramLabel = "N",
              description = "Nodes of a new cluster (default: 2).")
          @Nullable Integer nodes,
      @Option(
              names = "--partitions",
              paramLabel = "N",
              description = "Partitions of a dataset on each node of a new cluster (default: 2).")
          @Nullable Integer partitions,
      @Option(
              names = "--directories",
              paramLabel = "D",
              split = ",",
              description =
                  "Where the partitions of a new cluster lie, as on devices of their own: of each"
                      + " node partition p in the one at p modulo their number, in a directory of"
                      + " the node's name (default: in --dir).")
          @Nullable List<Path> directories,
      @Option(
              names = "--log-directory",
              paramLabel = "L",
              description =
                  "Where the logs of a new cluster lie, in a directory of each node's name"
                      + " (default: in --dir).")
          @Nullable Path logDirectory,
      @Mixin ProcessArguments process)
      throws StorageException, JobFailedException {
    ClusterShape kept = Cluster.shapeOf(common.directory).orElse(DEFAULT_SHAPE);
    named(
        () ->
            processes(common)
                .start(
                    kept.orNew(
                        nodes == null ? kept.nodes() : nodes,
                        partitions == null ? kept.partitionsPerNode() : partitions),
                    process
                        .node
                        .apply(EngineOptions.builder(common.directory))
                        .build()
                        .withDirectory(common.directory, placement(directories, logDirectory)),
                    jvm(process.heap)));
    return status(common);
  }

  /** Gives it more nodes. */
  @Command(
      name = "rebalance",
      sortOptions = false,
      description =
          "Give a cluster that was stopped more nodes, and each of them its part of the"
              + " partitions, whose components move as they are. Killed, it goes on when it is"
              + " called again, or, with the number of nodes that there were, takes back what only"
              + " was copied; the cluster is not started before.")
  int rebalance(
      @Mixin CommonOptions common,
      @Option(
              names = "--nodes",
              paramLabel = "N",
              required = true,
              description = "How many nodes it has then, at most one for each partition.")
          int nodes,
      @Option(
              names = "--directories",
              paramLabel = "D",
              split = ",",
              description =
                  "As for start: where the new nodes have their partitions (default: in --dir).")
          @Nullable List<Path> directories,
      @Option(
              names = "--log-directory",
              paramLabel = "L",
              description = "As for start: where the new nodes have their logs.")
          @Nullable Path logDirectory)
      throws StorageException, JobFailedException {
    named(
        () -> {
          ClusterProcesses.Rebalanced done =
              processes(common).rebalance(nodes, placement(directories, logDirectory));
          if (common.json) {
            console()
                .printJson(new Rebalance("cluster rebalance", common.directory.toString(), done));
          } else {
            Table table = new Table("nodes", "partitions moved", "components", "bytes");
            table.row(
                Integer.toString(done.nodes()),
                Integer.toString(done.partitions()),
                Integer.toString(done.components()),
                Figures.bytes(done.bytes()));
            table.print(console());
          }
        });
    return 0;
  }

  /**
   * What {@code rebalance} prints as JSON.
   *
   * @param command {@code cluster rebalance}
   * @param directory where
   * @param result what was done
   */
  private record Rebalance(String command, String directory, ClusterProcesses.Rebalanced result) {}

  private static PlacementOptions placement(
      @Nullable List<Path> directories, @Nullable Path logDirectory) {
    return new PlacementOptions(directories == null ? List.of() : directories, logDirectory);
  }

  /** Shows the processes. */
  @Command(
      name = "status",
      description = "Show the processes. Exit code 1 when one does not run or is not registered.")
  int status(@Mixin CommonOptions common) throws StorageException, JobFailedException {
    List<ClusterProcesses.Member> members = processes(common).status();
    if (common.json) {
      console()
          .printJson(
              new Status("cluster status", common.directory.toString(), address(common), members));
    } else {
      Table table = new Table("process", "pid", "state");
      for (ClusterProcesses.Member member : members) {
        table.row(member.name(), Long.toString(member.pid()), member.state().name());
      }
      table.print(console());
      console().err().println("The controller listens for clients at " + address(common));
    }
    boolean whole =
        members.stream().allMatch(each -> each.state() == ClusterProcesses.State.RUNNING);
    return whole ? 0 : FailureReport.FAILED;
  }

  /**
   * What {@code status} prints as JSON.
   *
   * @param command {@code cluster status}
   * @param directory where
   * @param cluster where the controller listens for clients, for {@code --cluster}
   * @param processes the controller and the nodes
   */
  private record Status(
      String command, String directory, String cluster, List<ClusterProcesses.Member> processes) {}

  private static String address(CommonOptions common) throws StorageException {
    InetSocketAddress controller = processes(common).address();
    return controller.getAddress().getHostAddress() + ":" + controller.getPort();
  }

  /** Stops the processes. */
  @Command(
      name = "stop",
      description = "Have every node close its store with a checkpoint, and end all processes.")
  int stop(@Mixin CommonOptions common) throws StorageException, JobFailedException {
    processes(common).stop();
    return 0;
  }

  /** Kills a process. */
  @Command(
      name = "kill-node",
      description =
          "Kill a node or the controller at once, as a crash would. What a node has acknowledged"
              + " is durable.")
  int kill(
      @Mixin CommonOptions common,
      @Parameters(paramLabel = "NODE", description = "Its name: node-0, node-1, ... or controller")
          String node)
      throws StorageException, JobFailedException {
    named(() -> processes(common).kill(node));
    return 0;
  }

  /** Starts a node again. */
  @Command(
      name = "restart-node",
      description =
          "Start a node that has ended, which recovers and is registered again, or the controller,"
              + " which the nodes find again.")
  int restart(
      @Mixin CommonOptions common,
      @Parameters(paramLabel = "NODE", description = "Its name: node-0, node-1, ... or controller")
          String node,
      @Option(
              names = "--heap",
              paramLabel = "SIZE",
              defaultValue = "512m",
              description = "Heap of the process, as the JVM's -Xmx has it (default: 512m).")
          String heap)
      throws StorageException, JobFailedException {
    named(() -> processes(common).restart(node, jvm(heap)));
    return 0;
  }
}
