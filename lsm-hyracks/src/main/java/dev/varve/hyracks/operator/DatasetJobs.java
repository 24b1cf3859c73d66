package dev.varve.hyracks.operator;

import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.KeyDecoder;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.CorruptionException;
import dev.varve.dataset.EngineStats;
import dev.varve.dataset.model.PartitionTable;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.hyracks.feed.FeedName;
import dev.varve.hyracks.feed.OnFull;
import dev.varve.hyracks.feed.RecordSource;
import dev.varve.hyracks.feed.ResumePoints;
import dev.varve.hyracks.operator.DatasetCommand.Command;
import java.util.ArrayList;
import java.util.List;
import org.apache.hyracks.api.constraints.PartitionConstraintHelper;
import org.apache.hyracks.api.dataflow.IConnectorDescriptor;
import org.apache.hyracks.api.dataflow.IOperatorDescriptor;
import org.apache.hyracks.api.dataflow.value.IBinaryComparatorFactory;
import org.apache.hyracks.api.dataflow.value.RecordDescriptor;
import org.apache.hyracks.api.job.JobId;
import org.apache.hyracks.api.job.JobSpecification;
import org.apache.hyracks.api.result.ResultSetId;
import org.apache.hyracks.dataflow.std.connectors.MToNPartitioningConnectorDescriptor;
import org.apache.hyracks.dataflow.std.connectors.MToNPartitioningMergingConnectorDescriptor;
import org.apache.hyracks.dataflow.std.connectors.OneToOneConnectorDescriptor;
import org.apache.hyracks.dataflow.std.sort.ExternalSortOperatorDescriptor;
import org.apache.hyracks.dataflow.std.sort.TopKSorterOperatorDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * Builds the jobs of a cluster. Each leaves tuples of two fields as its result set. Immutable: a
 * job is new at every call and belongs to the caller.
 */
public final class DatasetJobs {
  /** The one result set of each job. */
  public static final ResultSetId RESULT = ResultSink.RESULT;

  private static final int SORT_FRAMES = 64;

  /** Of so many first records a partition keeps those alone, while it reads. */
  private static final long MOST_IN_HEAP = 10_000;

  private static final int SMALL_FRAME_BYTES = 32 << 10;

  private final List<String> nodes;
  private final PartitionTable routing;

  /** Jobs for a cluster with these nodes, in the order of their numbers. */
  public DatasetJobs(List<String> nodes, PartitionTable routing) {
    this.nodes = List.copyOf(nodes);
    this.routing = routing;
    if (nodes.size() != routing.nodes()) {
      throw new IllegalArgumentException(nodes.size() + " names of " + routing.nodes() + " nodes");
    }
  }

  /**
   * The target of a feed, and the way it writes.
   *
   * @param dataset the dataset
   * @param mode what is done with a record
   * @param sources how many partitions the source is opened in
   * @param feed number of the feed's run on the nodes' boards
   * @param name what its positions are kept under; null when they are not kept
   * @param resume which records it passes over
   * @param onFull what it does when its source gives more than is taken
   */
  public record FeedPlan(
      DatasetOptions dataset,
      WriteMode mode,
      int sources,
      long feed,
      @Nullable FeedName name,
      ResumePoints resume,
      OnFull onFull) {
    /** Describes its tuples. */
    RecordDescriptor tuples() {
      return name == null ? RecordTuples.descriptor() : RecordTuples.descriptorWithOrigin();
    }
  }

  /** Writes the records of a source; its result has one tuple a partition, a {@link FeedReport}. */
  public JobSpecification feed(FeedPlan plan, RecordSource source) {
    JobSpecification job = new JobSpecification(RecordTuples.FRAME_BYTES);
    String dataset = plan.dataset().name();
    FeedSource feed = new FeedSource(job, source, plan, routing.partitions());
    place(job, feed, sourceNodes(plan.sources()));
    IConnectorDescriptor byKey =
        new MToNPartitioningConnectorDescriptor(
            job,
            plan.name() == null ? new KeyPartitioning(routing) : new FeedPartitioning(routing));
    IOperatorDescriptor last;
    if (plan.mode() == WriteMode.LOAD) {
      IOperatorDescriptor sort = sort(job, KeyRange.Direction.ASCENDING, Long.MAX_VALUE);
      job.connect(byKey, feed, 0, sort, 0);
      last = new DatasetLoad(job, dataset, routing, plan.feed());
      job.connect(new OneToOneConnectorDescriptor(job), sort, 0, last, 0);
    } else {
      last = new DatasetWrite(job, plan, routing);
      job.connect(byKey, feed, 0, last, 0);
    }
    place(job, last, partitionNodes());
    keepResult(job, last, partitionNodes());
    return job;
  }

  /** Sorts tuples where they are by their first fields, and keeps the first ones. */
  private IOperatorDescriptor sort(JobSpecification job, KeyRange.Direction order, long first) {
    int[] key = {RecordTuples.KEY_FIELD};
    IBinaryComparatorFactory[] orders = {new KeyOrder(order)};
    IOperatorDescriptor sort =
        first <= MOST_IN_HEAP
            ? new TopKSorterOperatorDescriptor(
                job,
                SORT_FRAMES,
                (int) Math.max(1, first),
                key,
                null,
                orders,
                RecordTuples.descriptor())
            : new ExternalSortOperatorDescriptor(
                job, SORT_FRAMES, key, orders, RecordTuples.descriptor());
    place(job, sort, partitionNodes());
    return sort;
  }

  /**
   * Reads all partitions. Records found by primary key or by a secondary B+-tree come in its order,
   * the nearest ones by their distance, those found by a secondary index in another way partition
   * after partition; counts as one tuple a partition; values of a field in their order, each with a
   * number of records, and several times where several partitions have it.
   */
  public JobSpecification read(ReadRequest request) {
    JobSpecification job = new JobSpecification(RecordTuples.FRAME_BYTES);
    IOperatorDescriptor read = new DatasetRead(job, request, routing, 0);
    place(job, read, partitionNodes());
    if (!request.isMerged()) {
      keepResult(job, read, partitionNodes());
      return job;
    }
    if (request.isSorted()) {
      IOperatorDescriptor sort = sort(job, request.direction(), request.limit());
      job.connect(new OneToOneConnectorDescriptor(job), read, 0, sort, 0);
      read = sort;
    }
    ResultSink sink = new ResultSink(job);
    place(job, sink, new String[] {nodes.get(0)});
    IConnectorDescriptor merge =
        new MToNPartitioningMergingConnectorDescriptor(
            job,
            new KeyPartitioning(PartitionTable.of(1, 1)),
            new int[] {RecordTuples.KEY_FIELD},
            new IBinaryComparatorFactory[] {new KeyOrder(request.direction())},
            null);
    job.connect(merge, read, 0, sink, 0);
    job.addRoot(sink);
    return job;
  }

  /** Reads one record from the partition that holds its primary key. */
  public JobSpecification get(String dataset, byte[] primaryKey, int partition) {
    JobSpecification job = new JobSpecification(SMALL_FRAME_BYTES);
    ReadRequest request = ReadRequest.get(dataset, primaryKey);
    DatasetRead read = new DatasetRead(job, request, routing, partition);
    String[] node = {nodes.get(routing.nodeOf(partition))};
    place(job, read, node);
    keepResult(job, read, node);
    return job;
  }

  /** Creates a dataset on every node, or opens it where it is. */
  public JobSpecification open(DatasetOptions dataset) {
    return command(
        Command.OPEN, DatasetDefinition.of(dataset.withPartitions(routing.partitionsPerNode())));
  }

  /** Asks each node for a dataset's options; {@link #options} reads a tuple of the result. */
  public JobSpecification describe(String dataset) {
    return command(Command.DESCRIBE, named(dataset));
  }

  /** Reads the second field of a tuple that a job of {@link #describe} leaves. */
  public static DatasetOptions options(Slice field) {
    return DatasetDefinition.decode(field).options();
  }

  /** Asks each node for the names of its datasets, encoded texts. */
  public JobSpecification datasets() {
    return ask(NodeQuery.Question.DATASETS, 0);
  }

  /** Asks each node which node has which partition; {@link #table} reads a tuple. */
  public JobSpecification shape() {
    return ask(NodeQuery.Question.SHAPE, 0);
  }

  /** Reads the second field of a tuple that a job of {@link #shape} leaves. */
  public static PartitionTable table(Slice field) {
    KeyDecoder numbers = new KeyDecoder().reset(field);
    int partitionsPerNode = (int) numbers.readLong();
    List<Integer> homes = new ArrayList<>();
    while (numbers.hasNext()) {
      homes.add((int) numbers.readLong());
    }
    return new PartitionTable(partitionsPerNode, homes);
  }

  /** Has each node open the indexes of everything that is stored. */
  public JobSpecification activate() {
    return ask(NodeQuery.Question.ACTIVATE, 0);
  }

  /**
   * Asks each node what its engine holds and has done; a tuple is the node's number, and behind it
   * what {@link #stats(Slice)} reads.
   */
  public JobSpecification stats() {
    return ask(NodeQuery.Question.STATS, 0);
  }

  /** Reads the second field of a tuple that a job of {@link #stats()} leaves. */
  public static EngineStats stats(Slice field) throws CorruptionException {
    return StatsDocument.decode(field);
  }

  /**
   * Asks each node who waits in its engine; a tuple is the node's number, and behind it a text,
   * empty while nobody does.
   */
  public JobSpecification waits() {
    return ask(NodeQuery.Question.WAITS, 0);
  }

  /** Asks each node what a feed has done there; a tuple is a {@link FeedReport}. */
  public JobSpecification progress(long feed) {
    return ask(NodeQuery.Question.PROGRESS, feed);
  }

  /**
   * Asks each node what all feeds have done there; a tuple is the number of a feed, encoded, and a
   * {@link FeedReport} behind it.
   */
  public JobSpecification feeds() {
    return ask(NodeQuery.Question.FEEDS, 0);
  }

  /** Asks each node what a feed has done there, and the nodes forget it. */
  public JobSpecification lastProgress(long feed) {
    return ask(NodeQuery.Question.LAST_PROGRESS, feed);
  }

  /** Asks each node how far a named feed has come there; a tuple is a {@link FeedReport}. */
  public JobSpecification positions(FeedName feed) {
    JobSpecification job = new JobSpecification(SMALL_FRAME_BYTES);
    return ask(job, new NodeQuery(job, NodeQuery.Question.POSITIONS, feed));
  }

  /** Asks each node what a named feed has left out there; a tuple is a reject. */
  public JobSpecification rejects(FeedName feed) {
    JobSpecification job = new JobSpecification(SMALL_FRAME_BYTES);
    return ask(job, new NodeQuery(job, NodeQuery.Question.REJECTS, feed));
  }

  /** Has each node drop what a job has left there for its client. */
  public JobSpecification discard(JobId job) {
    return ask(NodeQuery.Question.DISCARD, job.getId());
  }

  /** The same of all other jobs: a controller that was started again gives their numbers anew. */
  public JobSpecification discardAll() {
    return ask(NodeQuery.Question.DISCARD_ALL, 0);
  }

  private JobSpecification ask(NodeQuery.Question question, long feed) {
    JobSpecification job = new JobSpecification(SMALL_FRAME_BYTES);
    return ask(job, new NodeQuery(job, question, feed));
  }

  private JobSpecification ask(JobSpecification job, NodeQuery query) {
    String[] all = nodes.toArray(String[]::new);
    place(job, query, all);
    keepResult(job, query, all);
    return job;
  }

  /** Drops a dataset. */
  public JobSpecification drop(String dataset) {
    return command(Command.DROP, named(dataset));
  }

  /** Writes all memory components of a dataset out. */
  public JobSpecification flush(String dataset) {
    return command(Command.FLUSH, named(dataset));
  }

  /** Flushes a dataset and merges each of its indexes into one component. */
  public JobSpecification compact(String dataset) {
    return command(Command.COMPACT, named(dataset));
  }

  /** Checks a dataset; each tuple of the result is one text, a broken rule with its place. */
  public JobSpecification verify(String dataset) {
    return command(Command.VERIFY, named(dataset));
  }

  private static DatasetDefinition named(String dataset) {
    return new DatasetDefinition(
        dataset,
        new ArrayList<>(),
        new ArrayList<>(),
        DatasetDefinition.of(DatasetOptions.of(dataset, "id")).storage());
  }

  private JobSpecification command(Command command, DatasetDefinition dataset) {
    JobSpecification job = new JobSpecification(SMALL_FRAME_BYTES);
    DatasetCommand operator = new DatasetCommand(job, command, dataset);
    String[] all = nodes.toArray(String[]::new);
    place(job, operator, all);
    keepResult(job, operator, all);
    return job;
  }

  private static void keepResult(JobSpecification job, IOperatorDescriptor last, String[] where) {
    ResultSink sink = new ResultSink(job);
    place(job, sink, where);
    job.connect(new OneToOneConnectorDescriptor(job), last, 0, sink, 0);
    job.addRoot(sink);
  }

  private static void place(JobSpecification job, IOperatorDescriptor operator, String[] where) {
    PartitionConstraintHelper.addAbsoluteLocationConstraint(job, operator, where);
  }

  private String[] partitionNodes() {
    String[] where = new String[routing.partitions()];
    for (int partition = 0; partition < where.length; partition++) {
      where[partition] = nodes.get(routing.nodeOf(partition));
    }
    return where;
  }

  private String[] sourceNodes(int sources) {
    String[] where = new String[sources];
    for (int source = 0; source < sources; source++) {
      where[source] = nodes.get(source % nodes.size());
    }
    return where;
  }
}
