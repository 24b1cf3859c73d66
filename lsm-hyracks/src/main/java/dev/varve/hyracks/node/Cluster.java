package dev.varve.hyracks.node;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.KeyDecoder;
import dev.varve.common.env.Clock;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.LocalFileSystem;
import dev.varve.common.env.SystemClock;
import dev.varve.common.env.TaskExecutor;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.EngineSeams;
import dev.varve.dataset.EngineStats;
import dev.varve.dataset.StorageEngine;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.PartitionTable;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.hyracks.adapter.NodeStorage;
import dev.varve.hyracks.feed.FeedName;
import dev.varve.hyracks.feed.FeedPosition;
import dev.varve.hyracks.feed.FeedReject;
import dev.varve.hyracks.feed.PartitionProgress;
import dev.varve.hyracks.operator.Aggregate;
import dev.varve.hyracks.operator.DatasetJobs;
import dev.varve.hyracks.operator.FeedReport;
import dev.varve.hyracks.operator.ReadRequest;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.hyracks.api.job.JobSpecification;
import org.jspecify.annotations.Nullable;

/**
 * A cluster: nodes, each with its storage engine, and datasets that are hash-partitioned over them
 * by primary key. It is embedded, its nodes in this JVM ({@link #start}), or its nodes are
 * processes of their own ({@link #connect}). Everything but {@link #engines} goes through jobs of
 * the cluster. A failed job leaves the cluster able to run others. Thread-safe; the caller closes
 * it.
 */
public final class Cluster implements AutoCloseable {
  /** Name of the directory of an engine in that of its node. */
  static final String STORE = "store";

  private final ClusterShape shape;
  private final PartitionTable routing;
  private final TaskExecutor executor;
  private final List<NodeStorage> storages;

  /** Null when the nodes are other processes. */
  private final @Nullable EmbeddedCluster controllers;

  private final JobClient client;
  private final DatasetJobs jobs;

  private final FeedRuns feeds;

  private Cluster(
      ClusterShape shape,
      List<NodeStorage> storages,
      @Nullable EmbeddedCluster controllers,
      JobClient client) {
    this.shape = shape;
    this.routing = shape.table();
    this.executor = new ThreadTaskExecutor();
    this.storages = List.copyOf(storages);
    this.controllers = controllers;
    this.client = client;
    List<String> names = new ArrayList<>();
    for (int node = 0; node < shape.nodes(); node++) {
      names.add(EmbeddedCluster.nodeName(node));
    }
    this.jobs = new DatasetJobs(names, routing);
    this.feeds = new FeedRuns(client, jobs, routing, storages);
  }

  /**
   * Connects to a cluster whose controller and nodes are processes of their own.
   *
   * @param controller where the controller listens for clients
   * @param shape the cluster's shape, as its documents say
   */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // The client is closed with the cluster.
  public static Cluster connect(InetSocketAddress controller, ClusterShape shape)
      throws JobFailedException {
    SerializationGuard.trustOtherProcesses();
    return new Cluster(shape, List.of(), null, JobClient.connect(controller));
  }

  /**
   * Connects to such a cluster, and asks its first node for the shape.
   *
   * @param controller where the controller listens for clients
   */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // The client is closed with the cluster, or here.
  public static Cluster connect(InetSocketAddress controller)
      throws StorageException, JobFailedException {
    SerializationGuard.trustOtherProcesses();
    JobClient client = JobClient.connect(controller);
    try {
      JobSpecification asked =
          new DatasetJobs(List.of(EmbeddedCluster.nodeName(0)), PartitionTable.of(1, 1)).shape();
      ResultFrames found =
          client.results(client.run(asked), DatasetJobs.RESULT, asked.getFrameSize());
      if (!found.next()) {
        throw new JobFailedException("no node at " + controller + " tells of its cluster", null);
      }
      ClusterShape shape = new ClusterShape(DatasetJobs.table(found.record()));
      return new Cluster(shape, List.of(), null, client);
    } catch (StorageException | JobFailedException | RuntimeException unknown) {
      client.close();
      throw unknown;
    }
  }

  /**
   * For a program that reads no Java objects but those of its clusters: from now on streams of
   * objects read nothing in this process, but those of clusters and those with a filter of their
   * own. The clusters' ports are guarded without it.
   */
  public static void refuseOtherObjects() {
    SerializationGuard.installForProcess();
  }

  /**
   * The shape of the cluster in a directory, as its document or those of its nodes say; empty when
   * none says it.
   *
   * @throws dev.varve.common.error.CorruptionException when they contradict each other
   * @throws dev.varve.common.error.ConflictException with {@code OPTIONS_MISMATCH} when the cluster
   *     is being rebalanced
   */
  public static Optional<ClusterShape> shapeOf(Path directory) throws StorageException {
    ClusterDirectory here = ClusterDirectory.read(new LocalFileSystem(), directory);
    here.requireSettled();
    return here.shape();
  }

  /** What lies in a directory, in words: for messages about one without a cluster. */
  public static String describe(Path directory) throws StorageException {
    return ClusterDirectory.read(new LocalFileSystem(), directory).found();
  }

  /** Directory of the engine of a node, in a cluster's directory. */
  public static Path engineDirectory(Path directory, int node) {
    return directory.resolve(EmbeddedCluster.nodeName(node)).resolve(STORE);
  }

  /**
   * Starts a cluster, creating it when the directory holds none. Every node's storage is recovered
   * before the node registers. When this throws, nothing runs and nothing is open.
   *
   * @throws dev.varve.common.error.ConflictException with {@code OPTIONS_MISMATCH} when the
   *     directory holds a cluster of another shape, or one whose shape nothing says, {@code
   *     FOREIGN_FILES} when it is not empty and holds no cluster, {@code DIRECTORY_IN_USE} when the
   *     cluster runs already
   * @throws dev.varve.common.error.CorruptionException when a node is missing or another cluster's
   */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // The controllers are closed with the cluster.
  public static Cluster start(ClusterOptions options) throws StorageException, JobFailedException {
    EngineSeams process = systemSeams();
    EngineSeams seams = process.withLimits(process.limits().dividedBy(options.shape().nodes()));
    List<NodeApplication> applications = new ArrayList<>();
    for (int node = 0; node < options.shape().nodes(); node++) {
      applications.add(new NodeApplication(options.engineOf(node), seams));
    }
    EmbeddedCluster controllers = null;
    try {
      List<NodeStorage> storages = openStorages(options, seams, applications);
      controllers =
          EmbeddedCluster.start(
              options.directory().resolve(ClusterDirectory.CONTROLLERS), applications);
      return new Cluster(
          options.shape(), storages, controllers, JobClient.connect(controllers.clientAddress()));
    } catch (StorageException | JobFailedException | RuntimeException first) {
      try {
        closeAll(controllers, applications);
      } catch (StorageException | JobFailedException second) {
        first.addSuppressed(second);
      }
      throw first;
    }
  }

  /**
   * Opens the stores of a cluster, checks that they belong together, makes what is missing of a new
   * one, and closes them: for nodes that are processes of their own, which open only what is there.
   */
  static void prepare(ClusterOptions options) throws StorageException {
    int opened =
        withApplications(
            options,
            systemSeams(),
            (seams, applications) -> openStorages(options, seams, applications).size());
    assert opened == options.shape().nodes() : opened;
  }

  /** What is done with the nodes' storages, which it opens. */
  @FunctionalInterface
  interface StorageUse<T> {
    T of(EngineSeams seams, List<NodeApplication> applications) throws StorageException;
  }

  /** Does something with the nodes' storages in this process, and closes all of them. */
  static <T> T withApplications(ClusterOptions options, EngineSeams process, StorageUse<T> use)
      throws StorageException {
    EngineSeams seams = process.withLimits(process.limits().dividedBy(options.shape().nodes()));
    List<NodeApplication> applications = new ArrayList<>();
    for (int node = 0; node < options.shape().nodes(); node++) {
      applications.add(new NodeApplication(options.engineOf(node), seams));
    }
    try {
      T result = use.of(seams, applications);
      for (NodeApplication application : applications) {
        application.close();
      }
      return result;
    } catch (StorageException | RuntimeException | Error first) {
      for (NodeApplication application : applications) {
        try {
          application.close();
        } catch (StorageException second) {
          first.addSuppressed(second);
        }
      }
      throw first;
    }
  }

  /** Opens the stores that are there, checks that they belong together, and makes the others. */
  static List<NodeStorage> openStorages(
      ClusterOptions options, EngineSeams seams, List<NodeApplication> applications)
      throws StorageException {
    ClusterDirectory here = ClusterDirectory.read(seams.files(), options.directory());
    here.require(options.shape());
    Map<Integer, StorageEngine> found = new TreeMap<>();
    for (int node = 0; node < applications.size(); node++) {
      if (here.hasStore(node)) {
        found.put(node, applications.get(node).open().engine());
      }
    }
    here.requireStores(options.shape(), found);
    makeDirectories(seams.files(), options);
    List<NodeStorage> storages = new ArrayList<>();
    List<Long> stores = new ArrayList<>();
    for (NodeApplication application : applications) {
      storages.add(application.open());
      stores.add(application.open().engine().storeId());
    }
    here.keep(options.shape(), stores, seams.random().nextLong());
    return storages;
  }

  /**
   * The nodes' directories, durably: an engine forces its own directory and the one above, no more.
   */
  static void makeDirectories(FileSystem files, ClusterOptions options) throws StorageException {
    Path directory = options.directory().toAbsolutePath();
    List<Path> changed = new ArrayList<>(List.of(directory));
    Path above = directory;
    while (above != null && !files.exists(above)) {
      above = above.getParent();
      if (above != null) {
        changed.add(above);
      }
    }
    files.createDirectories(directory.resolve(ClusterDirectory.CONTROLLERS));
    for (int node = 0; node < options.shape().nodes(); node++) {
      files.createDirectories(directory.resolve(EmbeddedCluster.nodeName(node)));
    }
    for (Path parent : changed) {
      files.forceDirectory(parent);
    }
  }

  static EngineSeams systemSeams() {
    Clock clock = new SystemClock();
    long seed = clock.currentTimeMillis() ^ Long.rotateLeft(clock.nanoTime(), Integer.SIZE);
    return new EngineSeams(
        new LocalFileSystem(), clock, new ThreadTaskExecutor(), new SplittableRandom(seed));
  }

  private static void closeAll(
      @Nullable EmbeddedCluster controllers, List<NodeApplication> applications)
      throws StorageException, JobFailedException {
    if (controllers != null) {
      controllers.close();
    }
    for (NodeApplication application : applications) {
      application.close();
    }
  }

  /** How many nodes and partitions there are. */
  public ClusterShape shape() {
    return shape;
  }

  /** Whether the nodes are in this JVM. */
  public boolean isEmbedded() {
    return controllers != null;
  }

  /**
   * The nodes' engines, in the order of their numbers; for looking into them in this JVM.
   *
   * @throws IllegalStateException when they are in other processes
   */
  public List<StorageEngine> engines() {
    if (controllers == null) {
      throw new IllegalStateException("the nodes of this cluster are other processes");
    }
    return storages.stream().map(NodeStorage::engine).toList();
  }

  /**
   * Creates a dataset on every node, or opens it where it is. Its number of partitions is set to
   * the cluster's.
   *
   * @throws dev.varve.common.error.ConflictException with {@code OPTIONS_MISMATCH} when it is there
   *     with other keys
   */
  public void createOrOpenDataset(DatasetOptions dataset)
      throws StorageException, JobFailedException {
    client.run(jobs.open(dataset));
  }

  /**
   * A dataset's options, as the first node has them.
   *
   * @throws dev.varve.common.error.RequestException with {@code UNKNOWN_DATASET}
   */
  public DatasetOptions describe(String dataset) throws StorageException, JobFailedException {
    if (!storages.isEmpty()) {
      return storages.get(0).engine().dataset(dataset).options();
    }
    DatasetOptions first = null;
    ResultFrames found = run(jobs.describe(dataset));
    while (found.next()) {
      first = first == null ? DatasetJobs.options(found.record()) : first;
    }
    if (first == null) {
      throw new JobFailedException("no node has described '" + dataset + "'", null);
    }
    return first;
  }

  /** The datasets that every node has, in the order of their names. */
  public List<String> datasets() throws StorageException, JobFailedException {
    Map<String, Integer> holders = new TreeMap<>();
    ResultFrames found = run(jobs.datasets());
    while (found.next()) {
      holders.merge(new KeyDecoder().reset(found.record()).readString(), 1, Integer::sum);
    }
    holders.values().removeIf(nodes -> nodes < shape.nodes());
    return List.copyOf(holders.keySet());
  }

  /** Whether every node has a dataset with this name. */
  public boolean holds(String dataset) throws StorageException, JobFailedException {
    return datasets().contains(dataset);
  }

  /** Opens the indexes of everything that is stored: statistics show only what is open. */
  public void activate() throws StorageException, JobFailedException {
    client.run(jobs.activate());
  }

  /** What the engine of each node holds and has done since it was opened, by the node's number. */
  public NavigableMap<Integer, EngineStats> stats() throws StorageException, JobFailedException {
    NavigableMap<Integer, EngineStats> stats = new TreeMap<>();
    ResultFrames found = run(jobs.stats());
    while (found.next()) {
      stats.put(
          (int) new KeyDecoder().reset(found.key()).readLong(), DatasetJobs.stats(found.record()));
    }
    return stats;
  }

  /**
   * Who waits in the engine of each node, by the node's number, as the node shows it: JSON with the
   * names of {@link dev.varve.dataset.WaitReport}; empty where nobody waits and nothing is to be
   * done.
   */
  public NavigableMap<Integer, Optional<String>> waits()
      throws StorageException, JobFailedException {
    NavigableMap<Integer, Optional<String>> waits = new TreeMap<>();
    ResultFrames found = run(jobs.waits());
    while (found.next()) {
      String report = new KeyDecoder().reset(found.record()).readString();
      waits.put(
          (int) new KeyDecoder().reset(found.key()).readLong(),
          Optional.of(report).filter(text -> !text.isEmpty()));
    }
    return waits;
  }

  /** The highest primary key of a dataset, encoded; empty when it has no record. */
  public Optional<Key> highestKey(String dataset) throws StorageException, JobFailedException {
    ReadRequest request = ReadRequest.scan(dataset, KeyRange.all().descending()).first(1);
    ResultFrames found = run(jobs.read(request));
    return found.next() ? Optional.of(Key.ofSlice(found.key())) : Optional.empty();
  }

  /** Drops a dataset on every node. */
  public void dropDataset(String dataset) throws StorageException, JobFailedException {
    client.run(jobs.drop(dataset));
  }

  /** Starts a feed and returns at once. */
  @MustBeClosed
  public Ingestion ingest(IngestRequest request) throws StorageException, JobFailedException {
    return new Ingestion(feeds, request, describe(request.dataset()), executor);
  }

  /** What the feeds that run now have done so far, by their numbers, whoever has started them. */
  public Map<Long, IngestSummary> feeds() throws StorageException, JobFailedException {
    Map<Long, List<PartitionProgress>> parts = new TreeMap<>();
    ResultFrames found = run(jobs.feeds());
    while (found.next()) {
      KeyDecoder values = new KeyDecoder().reset(found.record());
      parts
          .computeIfAbsent(values.readLong(), unused -> new ArrayList<>())
          .add(FeedReport.read(values));
    }
    Map<Long, IngestSummary> feeds = new TreeMap<>();
    parts.forEach((number, each) -> feeds.put(number, new IngestSummary(each)));
    return feeds;
  }

  /**
   * How far a named feed has come, by input and partition; empty when it never ran. What is said
   * there is durable.
   */
  public List<FeedPosition> positions(FeedName feed) throws StorageException, JobFailedException {
    return feeds.positions(feed);
  }

  /**
   * The records that a named feed has left out in all of its runs, in no certain order: of each
   * input and partition the first {@link dev.varve.hyracks.feed.FeedLedger#MOST_REJECTS}.
   */
  public List<FeedReject> rejects(FeedName feed) throws StorageException, JobFailedException {
    List<FeedReject> rejects = new ArrayList<>();
    ResultFrames found = run(jobs.rejects(feed));
    while (found.next()) {
      rejects.add(FeedReject.read(found.record()));
    }
    return rejects;
  }

  /** The record with a primary key. */
  public Optional<byte[]> get(String dataset, Key primaryKey)
      throws StorageException, JobFailedException {
    JobSpecification job =
        jobs.get(dataset, primaryKey.toBytes(), routing.partition(primaryKey.toSlice()));
    ResultFrames found = run(job);
    return found.next() ? Optional.of(found.record().toByteArray()) : Optional.empty();
  }

  /**
   * Reads records: in a range of keys in its order, the nearest ones nearest first, others
   * partition after partition.
   *
   * @throws dev.varve.common.error.RequestException with {@code UNKNOWN_INDEX}, or {@code
   *     UNSUPPORTED} when the index is of a kind that does not answer such a search
   */
  @MustBeClosed
  public QueryResult read(ReadRequest request) throws StorageException, JobFailedException {
    return QueryResult.of(request, client.stream(jobs.read(request), jobs::discard));
  }

  /** How many records a read finds. */
  public long count(ReadRequest request) throws StorageException, JobFailedException {
    long sum = 0;
    ResultFrames counts = run(jobs.read(request.counted()));
    while (counts.next()) {
      sum += new KeyDecoder().reset(counts.record()).readLong();
    }
    return Math.min(sum, request.limit());
  }

  /**
   * What values a field has in the records that a read finds, gathered by the partitions.
   *
   * @throws IllegalArgumentException when the read has a limit
   */
  @MustBeClosed
  public ValueCounts values(ReadRequest request, Aggregate aggregate)
      throws StorageException, JobFailedException {
    JobSpecification job = jobs.read(request.aggregated(aggregate));
    return new ValueCounts(client.stream(job, jobs::discard), aggregate.kind());
  }

  /** Records in a range of primary keys, in the order that the range asks for. */
  @MustBeClosed
  public QueryResult scan(String dataset, KeyRange primaryKeys)
      throws StorageException, JobFailedException {
    return read(ReadRequest.scan(dataset, primaryKeys));
  }

  /** How many records are in a range of primary keys. */
  public long countScan(String dataset, KeyRange primaryKeys)
      throws StorageException, JobFailedException {
    return count(ReadRequest.scan(dataset, primaryKeys));
  }

  /** Writes all memory components of a dataset out, and waits. */
  public void flush(String dataset) throws StorageException, JobFailedException {
    client.run(jobs.flush(dataset));
  }

  /** Flushes a dataset and merges each of its indexes into one component, and waits. */
  public void compact(String dataset) throws StorageException, JobFailedException {
    client.run(jobs.compact(dataset));
  }

  /** Checks a dataset; each text is a broken rule and its place, none when all holds. */
  public List<String> verify(String dataset) throws StorageException, JobFailedException {
    List<String> problems = new ArrayList<>();
    ResultFrames found = run(jobs.verify(dataset));
    while (found.next()) {
      problems.add(new KeyDecoder().reset(found.record()).readString());
    }
    return problems;
  }

  /**
   * Stops an embedded cluster, whose nodes' engines are closed with a checkpoint; ends a connection
   * to another one. Idempotent.
   */
  @Override
  public void close() throws StorageException, JobFailedException {
    client.close();
    if (controllers != null) {
      controllers.close();
    }
  }

  /** Runs any job and gives what it left in the result set of {@link DatasetJobs#RESULT}. */
  ResultFrames run(JobSpecification job) throws StorageException, JobFailedException {
    return client.results(client.run(job), DatasetJobs.RESULT, job.getFrameSize());
  }
}
