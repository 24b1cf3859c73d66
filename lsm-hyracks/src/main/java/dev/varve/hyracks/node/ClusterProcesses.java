package dev.varve.hyracks.node;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.env.Clock;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.LocalFileSystem;
import dev.varve.common.env.Signal;
import dev.varve.common.env.SystemClock;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.PartitionTable;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.PlacementOptions;
import dev.varve.hyracks.operator.DatasetJobs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hyracks.api.client.NodeControllerInfo;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A cluster whose controller and nodes are processes of their own on this machine, on loopback. It
 * outlives the process that started it. What runs is in the cluster's directory, so that any
 * process finds it there: the configuration in {@code hyracks/cluster.conf}, what the processes say
 * in {@code hyracks/logs}. Confined to one thread; only one process at a time should start, stop or
 * restart.
 */
public final class ClusterProcesses {
  private static final Logger LOGGER = LogManager.getLogger();

  /** Name of the controller's process. */
  public static final String CONTROLLER = "controller";

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(120);
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** A controller that has failed inside may never answer. */
  private static final long ANSWER_MILLIS = 20_000;

  private final FileSystem files = new LocalFileSystem();
  private final Clock clock = new SystemClock();
  private final Signal never = new ThreadTaskExecutor().newSignal();
  private final Path directory;
  private final Path work;

  /** The processes of the cluster in a directory, whether they run or not. */
  public ClusterProcesses(Path directory) {
    this.directory = directory.toAbsolutePath();
    this.work = this.directory.resolve(ClusterDirectory.CONTROLLERS);
  }

  /**
   * What a process runs in.
   *
   * @param java the program {@code java}
   * @param classPath where this module and what it needs are
   * @param heap the largest heap, as {@code -Xmx} has it
   */
  public record Jvm(String java, String classPath, String heap) {}

  /** How it is with a process. */
  public enum State {
    /** It runs, and is registered if it is a node. */
    RUNNING,
    /** It runs, but the controller does not know it. */
    UNREGISTERED,
    /** It has ended. */
    ENDED
  }

  /**
   * A process of the cluster.
   *
   * @param name {@code controller}, or the node's
   * @param pid its number in the system
   * @param state how it is with it
   */
  public record Member(String name, long pid, State state) {}

  /**
   * Starts the controller and the nodes, and makes the cluster where the directory holds none. When
   * this throws, none of them runs.
   *
   * @param engine options of each node's engine, those that {@link NodeOption} has; and directories
   *     for files of all nodes, in each of which a node has one of its name, or none for where the
   *     cluster has them, or the nodes' own of a new one
   * @throws ConflictException with {@code DIRECTORY_IN_USE} when the cluster runs already; for the
   *     others see {@link Cluster#start}
   * @throws JobFailedException when a process ends or does not answer; what it said is in the
   *     message
   */
  public void start(ClusterShape shape, EngineOptions engine, Jvm jvm)
      throws StorageException, JobFailedException {
    requireNotRunning();
    ClusterOptions cluster = new ClusterOptions(directory, shape, engine);
    Cluster.prepare(cluster);
    Launcher launcher = new Launcher(files, work);
    int[] ports = freePorts();
    launcher.configure(cluster, ports[0], ports[1]);
    ProcessRecord record = new ProcessRecord(ports[0], List.of());
    record.write(files, work);
    boolean started = false;
    try {
      record = launched(record, launcher.launch(CONTROLLER, jvm));
      awaitController(record);
      for (int node = 0; node < shape.nodes(); node++) {
        record = launched(record, launcher.launch(EmbeddedCluster.nodeName(node), jvm));
      }
      try (JobClient client = client(record)) {
        for (int node = 0; node < shape.nodes(); node++) {
          awaitNode(client, record, EmbeddedCluster.nodeName(node), null);
        }
      }
      started = true;
    } finally {
      if (!started) {
        record.processes().forEach(process -> process.running().ifPresent(this::destroy));
        ProcessRecord.delete(files, work);
      }
    }
  }

  /**
   * What a rebalancing has done.
   *
   * @param nodes how many there are
   * @param partitions how many are on another node than before
   * @param components of them, of all indexes, that were copied; of a rebalancing that went on
   *     where it was killed those of this call, and so with the bytes
   * @param bytes of these
   */
  public record Rebalanced(int nodes, int partitions, int components, long bytes) {}

  /**
   * Gives the cluster, which does not run, more nodes, and each of them its part of the partitions,
   * whose components move as they are. Killed at any moment, it goes on when it is called again,
   * and the cluster is not started before it has ended. Positions of named feeds move along.
   *
   * @param placement directories for files of all nodes, as for {@link #start}
   * @throws ConflictException with {@code DIRECTORY_IN_USE} when the cluster runs, {@code NO_STORE}
   *     when there is none, {@code OPTIONS_MISMATCH} when one to another number of nodes has begun
   * @throws dev.varve.common.error.RequestException with {@code UNSUPPORTED} when the nodes would
   *     be fewer, or more than there are partitions
   * @throws dev.varve.common.error.CorruptionException when something that moves is damaged;
   *     nothing is lost then
   */
  public Rebalanced rebalance(int nodes, PlacementOptions placement) throws StorageException {
    requireNotRunning();
    ClusterShape shape = ClusterDirectory.read(files, directory).required().shape();
    EngineOptions engine = EngineOptions.of(directory).withDirectory(directory, placement);
    return new ClusterRebalance(
            new ClusterOptions(directory, shape, engine), Cluster.systemSeams(), nodes)
        .run();
  }

  private void requireNotRunning() throws StorageException {
    if (isRunning()) {
      throw new ConflictException(
          ConflictException.Reason.DIRECTORY_IN_USE,
          "the cluster of " + directory + " runs already; stop it first");
    }
  }

  private void destroy(ProcessHandle process) {
    process.destroyForcibly();
    process.onExit().join();
  }

  private ProcessRecord launched(ProcessRecord record, ProcessRecord.Started process)
      throws StorageException {
    ProcessRecord with = record.with(process);
    with.write(files, work);
    return with;
  }

  /** Ports that nobody else has now. */
  private static int[] freePorts() throws JobFailedException {
    try (ServerSocket one = new ServerSocket(0, 1, loopback());
        ServerSocket other = new ServerSocket(0, 1, loopback())) {
      return new int[] {one.getLocalPort(), other.getLocalPort()};
    } catch (IOException failure) {
      throw new JobFailedException("no free port on loopback", failure);
    }
  }

  private static InetAddress loopback() {
    return EmbeddedCluster.loopback();
  }

  private void awaitController(ProcessRecord record) throws StorageException, JobFailedException {
    long until = clock.nanoTime() + PATIENCE_NANOS;
    while (!Launcher.listens(loopback(), record.clientPort())) {
      pause(record, CONTROLLER, until);
    }
  }

  /**
   * Waits until a node is registered, with other addresses than before, and a job runs on it: the
   * first one after a restart may fail, for the controller finds out by it that the connections to
   * the old process are of no use.
   */
  private void awaitNode(
      JobClient client, ProcessRecord record, String name, @Nullable NodeControllerInfo before)
      throws StorageException, JobFailedException {
    DatasetJobs probe = new DatasetJobs(List.of(name), PartitionTable.of(1, 1));
    long until = clock.nanoTime() + PATIENCE_NANOS;
    while (true) {
      NodeControllerInfo now = registered(client).get(name);
      if (now != null
          && (before == null || !now.getNetworkAddress().equals(before.getNetworkAddress()))
          && runs(client, probe)) {
        return;
      }
      pause(record, name, until);
    }
  }

  /** The nodes that are registered; none while the controller does not answer. */
  private static Map<String, NodeControllerInfo> registered(JobClient client)
      throws StorageException {
    try {
      return client.nodes();
    } catch (JobFailedException notYet) {
      LOGGER.debug("the controller does not answer", notYet);
      return Map.of();
    }
  }

  /** The probe drops old results, too: nobody has them whose controller was started again. */
  private static boolean runs(JobClient client, DatasetJobs probe) {
    try {
      client.run(probe.discardAll());
      return true;
    } catch (StorageException | JobFailedException notYet) {
      LOGGER.debug("a node does not take jobs yet", notYet);
      return false;
    }
  }

  /** Waits a moment for a process; throws when it has ended, or it is late. */
  private void pause(ProcessRecord record, String name, long until)
      throws StorageException, JobFailedException {
    boolean runs = record.process(name).flatMap(ProcessRecord.Started::running).isPresent();
    if (!runs || clock.nanoTime() > until) {
      String ends = endOfLog(name);
      if (runs && !name.equals(CONTROLLER)) {
        ends += System.lineSeparator() + endOfLog(CONTROLLER); // the reason may be there
      }
      throw new JobFailedException(
          "%s %s; %s".formatted(name, runs ? "does not answer" : "has ended", ends), null);
    }
    if (never.await(() -> false, POLL_NANOS) == Signal.Outcome.INTERRUPTED) {
      throw new JobFailedException("waiting for " + name + " was interrupted", null);
    }
  }

  private String endOfLog(String name) throws StorageException {
    return "the end of %s:%n%s"
        .formatted(Launcher.log(work, name), Launcher.endOfLog(files, work, name));
  }

  private ProcessRecord required() throws StorageException {
    return ProcessRecord.read(files, work)
        .orElseThrow(
            () ->
                new ConflictException(
                    ConflictException.Reason.NO_STORE,
                    "no cluster of processes runs on "
                        + directory
                        + "; 'varve cluster start' starts one"));
  }

  @MustBeClosed
  private JobClient client(ProcessRecord record) throws JobFailedException {
    SerializationGuard.trustOtherProcesses();
    return JobClient.connect(new InetSocketAddress(loopback(), record.clientPort()), ANSWER_MILLIS);
  }

  /** Whether the controller runs. */
  public boolean isRunning() throws StorageException {
    return ProcessRecord.read(files, work)
        .flatMap(record -> record.process(CONTROLLER))
        .flatMap(ProcessRecord.Started::running)
        .isPresent();
  }

  /**
   * Where the controller listens for clients.
   *
   * @throws ConflictException with {@code NO_STORE} when none was started, or all were stopped
   */
  public InetSocketAddress address() throws StorageException {
    return new InetSocketAddress(loopback(), required().clientPort());
  }

  /**
   * Connects to the cluster.
   *
   * @throws ConflictException with {@code NO_STORE} when none was started, or all were stopped
   */
  @MustBeClosed
  public Cluster connect() throws StorageException, JobFailedException {
    InetSocketAddress controller = address();
    ClusterShape shape =
        Cluster.shapeOf(directory)
            .orElseThrow(
                () -> new IllegalStateException(directory + " lost its cluster.json as it ran"));
    return Cluster.connect(controller, shape);
  }

  /**
   * How it is with each process.
   *
   * @throws ConflictException with {@code NO_STORE} when none was started, or all were stopped
   */
  public List<Member> status() throws StorageException, JobFailedException {
    ProcessRecord record = required();
    Map<String, NodeControllerInfo> registered = Map.of();
    if (isRunning()) {
      try (JobClient client = client(record)) {
        registered = client.nodes();
      }
    }
    List<Member> members = new ArrayList<>();
    for (ProcessRecord.Started process : record.processes()) {
      State state = State.ENDED;
      if (process.running().isPresent()) {
        boolean known = process.name().equals(CONTROLLER) || registered.containsKey(process.name());
        state = known ? State.RUNNING : State.UNREGISTERED;
      }
      members.add(new Member(process.name(), process.pid(), state));
    }
    return members;
  }

  /**
   * Asks the nodes to end, which close their stores with a checkpoint, and then the controller;
   * waits for each.
   *
   * @throws JobFailedException when one does not end in time; it is left as it is
   */
  public void stop() throws StorageException, JobFailedException {
    ProcessRecord record = required();
    List<ProcessRecord.Started> order = new ArrayList<>(record.processes());
    order.removeIf(process -> process.name().equals(CONTROLLER));
    for (ProcessRecord.Started node : order) {
      node.running().ifPresent(ProcessHandle::destroy);
    }
    record.process(CONTROLLER).ifPresent(order::add);
    for (ProcessRecord.Started process : order) {
      ProcessHandle running = process.running().orElse(null);
      if (running != null) {
        running.destroy();
        awaitEnd(process.name(), running);
      }
    }
    ProcessRecord.delete(files, work);
  }

  private void awaitEnd(String name, ProcessHandle process) throws JobFailedException {
    try {
      process.onExit().get(PATIENCE_NANOS, TimeUnit.NANOSECONDS);
    } catch (TimeoutException late) {
      throw new JobFailedException(
          name + " (process " + process.pid() + ") does not end; see " + Launcher.log(work, name),
          late);
    } catch (ExecutionException failure) {
      throw new JobFailedException("no end of " + name + " was seen", failure);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new JobFailedException(
          "waiting for the end of " + name + " was interrupted", interrupt);
    }
  }

  /**
   * Kills a process at once, as a crash would: for trying out what becomes of the others.
   *
   * @throws IllegalArgumentException when the cluster has none of this name
   */
  public void kill(String name) throws StorageException {
    ProcessRecord record = required();
    named(record, name).running().ifPresent(this::destroy);
  }

  /**
   * Starts a process that has ended, under its name. A node recovers before it is registered; the
   * controller waits until all nodes that run have found it again.
   *
   * @throws IllegalArgumentException when the cluster has none of this name
   * @throws ConflictException with {@code DIRECTORY_IN_USE} when it runs
   */
  public void restart(String name, Jvm jvm) throws StorageException, JobFailedException {
    ProcessRecord record = required();
    if (named(record, name).running().isPresent()) {
      throw new ConflictException(
          ConflictException.Reason.DIRECTORY_IN_USE, name + " runs; kill it first");
    }
    if (name.equals(CONTROLLER)) {
      restartController(record, jvm);
      return;
    }
    try (JobClient client = client(record)) {
      NodeControllerInfo before = client.nodes().get(name);
      ProcessRecord with = launched(record, new Launcher(files, work).launch(name, jvm));
      awaitNode(client, with, name, before);
    }
  }

  private void restartController(ProcessRecord record, Jvm jvm)
      throws StorageException, JobFailedException {
    ProcessRecord with = launched(record, new Launcher(files, work).launch(CONTROLLER, jvm));
    awaitController(with);
    try (JobClient client = client(with)) {
      for (ProcessRecord.Started process : with.processes()) {
        if (!process.name().equals(CONTROLLER) && process.running().isPresent()) {
          awaitNode(client, with, process.name(), null);
        }
      }
    }
  }

  private static ProcessRecord.Started named(ProcessRecord record, String name) {
    return record
        .process(name)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "the cluster has no '%s', but %s"
                        .formatted(
                            name,
                            record.processes().stream()
                                .map(ProcessRecord.Started::name)
                                .toList())));
  }
}
