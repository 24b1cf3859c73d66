package dev.varve.cli.command;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.env.Signal;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.FieldPath;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.hyracks.feed.BytesSource;
import dev.varve.hyracks.feed.InputSource;
import dev.varve.hyracks.feed.MappedSource;
import dev.varve.hyracks.feed.OnFull;
import dev.varve.hyracks.feed.Overflow;
import dev.varve.hyracks.feed.RefusalReport;
import dev.varve.hyracks.node.Cluster;
import dev.varve.hyracks.node.ClusterOptions;
import dev.varve.hyracks.node.ClusterShape;
import dev.varve.hyracks.node.IngestRequest;
import dev.varve.hyracks.node.JobFailedException;
import dev.varve.report.command.CommandContext;
import dev.varve.report.command.StopSignal;
import dev.varve.tweets.TweetSource;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code varve ingest}: generated tweets through a feed into a dataset. */
@Command(
    name = "ingest",
    sortOptions = false,
    description =
        "Feed generated tweets of about 1 KB into the dataset 'tweets', or anybody's data into"
            + " another, which is created when it is not there: of the cluster whose nodes run as"
            + " processes on the directory, or of one that is started in this process.",
    footer = {
      "",
      "On a directory that was filled before, it goes on above the highest id. Ctrl-C stops the",
      "feed, says what was acknowledged, and exits with 130.",
      "",
      "Examples:",
      "  varve ingest --dir /tmp/tweets --tweets 1000000",
      "  varve ingest --dir /tmp/tweets --tweets 500000 --upsert --start 0 --seed 7",
      "  varve ingest --dir /tmp/p --dataset p --index rtree:at --map id=#,at=lon+lat --input a.csv"
          + " --format csv",
      "  varve ingest --dir /tmp/places --dataset places --key geonameid --input a.csv.gz b.csv.gz"
          + " --format csv",
      "  varve ingest --dir /tmp/tweets --tweets 500000 --upsert --feed morning --start 1000000",
      "  varve ingest --dir /tmp/other --tweets 100000 --index user.id,retweet_count --nodes 1"
          + " --json",
      "  varve ingest --dir /tmp/mix --tweets 100000 --index btree:user.followers_count,"
          + "rtree:sender_location,keyword:message_text,ngram3:user.name"
    })
public final class IngestCommand implements Callable<Integer> {
  private static final List<String> DEFAULT_INDEXES =
      List.of("user.followers_count", "send_time_millis");
  private static final List<String> OPTIONS_OF_NODES =
      Stream.concat(Stream.of("--nodes", "--partitions"), NodeArguments.NAMES.stream()).toList();
  private static final ClusterShape DEFAULT_SHAPE = new ClusterShape(2, 2);

  private final CommandContext context;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private TargetOptions target = new TargetOptions();
  @Mixin private IngestOptions options = new IngestOptions();

  /** A command that prints to a context's console. */
  public IngestCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws StorageException, JobFailedException {
    if (options.what.inputs != null) {
      return ingestInputs(options.what.inputs);
    }
    checkArguments();
    UUID feed = UUID.randomUUID();
    IngestSummary summary;
    try (StopSignal signal = StopSignal.listen(() -> StoppableSource.stop(feed));
        Cluster cluster = start()) {
      prepareDataset(cluster);
      TweetSource tweets = new TweetSource(options.seed, firstId(cluster), options.what.tweets);
      IngestRequest request =
          options.request(
              TweetCluster.DATASET,
              cluster.isEmbedded() ? new StoppableSource(tweets, feed) : tweets,
              options.feeds);
      summary =
          new IngestRun(context, cluster, request, tweets)
              .run(options.acknowledgements, signal, durability(cluster));
    }
    if (target.json) {
      context.console().printJson(summary);
    } else {
      summary.print(context.console());
    }
    return summary.exitCode();
  }

  /** Bodies of requests, until the command is stopped. */
  private int ingestPosts(String input) throws StorageException, JobFailedException {
    if (options.feed != null || options.mostRefused != null || options.onFull != OnFull.THROTTLE) {
      throw wrong("--feed, --max-refused and --on-full are not for " + PostServer.PREFIX);
    }
    InetSocketAddress address;
    try {
      address = InputSource.listeningAddress(input, PostServer.PREFIX);
      BytesSource checked = new BytesSource(input, options.format, new byte[0]);
      MappedSource mapped = new MappedSource(checked, options.map);
      assert mapped.rules().equals(options.map) : input;
    } catch (IllegalArgumentException problem) {
      throw wrong(String.valueOf(problem.getMessage()));
    }
    long began = context.clock().nanoTime();
    Signal stopped = new ThreadTaskExecutor().newSignal();
    InputSummary summary;
    int signalled;
    try (StopSignal signal = StopSignal.listen(stopped::raise);
        Cluster cluster = start()) {
      String dataset = prepareInputs(cluster);
      dev.varve.hyracks.node.IngestSummary done;
      try (PostServer server =
          PostServer.start(
              cluster, address, options.format, body -> options.request(dataset, body, 1))) {
        context.console().err().println("Waiting for POST at http:/" + address + "/");
        Signal.Outcome outcome = stopped.await(() -> signal.exitCode() != 0, Signal.FOREVER);
        assert outcome != Signal.Outcome.TIMED_OUT : outcome;
        done = server.stop();
      }
      double seconds = (context.clock().nanoTime() - began) / 1e9;
      summary =
          new InputSummary(
              "ingest", dataset, done.stored(), done.refusals(), Overflow.NONE, "SIGNAL", seconds);
      signalled = signal.exitCode();
    }
    if (target.json) {
      context.console().printJson(summary);
    } else {
      summary.print(context.console());
    }
    return signalled;
  }

  private int ingestInputs(List<String> inputs) throws StorageException, JobFailedException {
    if (options.dataset == null) {
      throw wrong("--input needs --dataset");
    }
    if (inputs.stream().anyMatch(input -> input.startsWith(PostServer.PREFIX))) {
      if (inputs.size() > 1) {
        throw wrong(PostServer.PREFIX + "HOST:PORT is the only input of a command");
      }
      return ingestPosts(inputs.get(0));
    }
    UUID feed = UUID.randomUUID();
    InputSource source = inputSource(inputs);
    InputSummary summary;
    int signalled;
    try (StopSignal signal = StopSignal.listen(() -> StoppableSource.stop(feed));
        Cluster cluster = start()) {
      if (!cluster.isEmbedded() && inputs.contains(InputSource.STANDARD)) {
        throw wrong("standard input is of this process, but the nodes of the cluster are others");
      }
      String dataset = prepareInputs(cluster);
      IngestRequest request =
          options.request(
              dataset,
              cluster.isEmbedded() ? new StoppableSource(source, feed) : source,
              source.isOpen() ? options.feeds : Math.min(options.feeds, inputs.size()));
      summary = new InputRun(context, cluster, request).run(options.mostRefused, signal);
      if (options.rejects != null && request.name() != null) {
        RejectedRecords.write(context.files(), options.rejects, cluster.rejects(request.name()));
      }
      signalled = signal.exitCode();
    }
    Long most = summary.stopped().equals("REFUSALS") ? options.mostRefused : null;
    if (!target.json) {
      summary.print(context.console());
    } else if (most == null) {
      context.console().printJson(summary);
    }
    if (most != null) {
      String where = options.whereRejectsAre(summary.acknowledged());
      throw RefusalReport.overLimit(summary.refused(), most, where);
    }
    return signalled;
  }

  /** Paths of inputs are absolute, for the nodes may have another working directory. */
  private InputSource inputSource(List<String> inputs) {
    if (options.rejects != null && options.feed == null) {
      throw wrong("--rejects is about a named feed; give --feed");
    }
    if (options.feeds < 1) {
      throw wrong("--feeds " + options.feeds + " is not between 1 and 64");
    }
    try {
      DatasetOptions checked = inputDataset(DEFAULT_SHAPE);
      assert checked.name().equals(options.dataset);
      InputSource source =
          new InputSource(
              inputs.stream().map(InputSource::absolute).toList(),
              options.format,
              new TreeMap<>(options.types));
      MappedSource mapped = new MappedSource(source, options.map);
      assert mapped.rules().equals(options.map) : inputs;
      return source;
    } catch (IllegalArgumentException problem) {
      throw wrong(String.valueOf(problem.getMessage()));
    }
  }

  private DatasetOptions inputDataset(ClusterShape shape) {
    List<String> texts = options.indexes == null ? List.of() : options.indexes;
    return DatasetOptions.of(String.valueOf(options.dataset), options.key.get(0))
        .withPrimaryKey(options.key.stream().map(FieldPath::parse).toList())
        .withIndexes(
            texts.equals(List.of("none"))
                ? List.of()
                : texts.stream().map(IndexDefinition::parse).toList())
        .withMemoryBytes(options.memoryBytes(shape.nodes()))
        .withMergePolicy(options.policy)
        .withMaintenance(options.maintenance)
        .withFilterField(options.filterField())
        .withTimeToLive(options.life.ofRecords());
  }

  /** Creates the dataset of inputs, or opens it with the indexes it has; returns its name. */
  private String prepareInputs(Cluster cluster) throws StorageException, JobFailedException {
    DatasetOptions dataset = options.fitted(inputDataset(cluster.shape()), cluster);
    if (cluster.holds(dataset.name())) {
      dataset = asThere(dataset, cluster.describe(dataset.name()));
    }
    cluster.createOrOpenDataset(dataset);
    return dataset.name();
  }

  /** What the parser can't see; everything is checked before anything is started. */
  private void checkArguments() {
    if (options.what.tweets < 0) {
      throw wrong("--tweets " + options.what.tweets + " is negative");
    }
    if (options.onFull != OnFull.THROTTLE) {
      throw wrong("--on-full is for --input: tweets are made no faster than they are taken");
    }
    if (options.acknowledgements != null && (options.feeds != 1 || options.feed != null)) {
      throw wrong("--acks needs ids in order, so it goes with --feeds 1 only, and without --feed");
    }
    try {
      TweetSource checked = new TweetSource(0, startOr(0), options.what.tweets);
      DatasetOptions dataset = newDataset(newShape(DEFAULT_SHAPE));
      IngestRequest request = options.request(dataset.name(), checked, options.feeds);
      assert request.feeds() == options.feeds;
      ClusterShape checkedShape = newShape(DEFAULT_SHAPE);
      assert checkedShape.nodes() > 0 : checkedShape;
    } catch (IllegalArgumentException problem) {
      throw wrong(String.valueOf(problem.getMessage()));
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  @MustBeClosed
  private Cluster start() throws StorageException, JobFailedException {
    if (target.isRunning()) {
      checkOptionsOfNodes();
      return target.connect();
    }
    ClusterShape kept = Cluster.shapeOf(target.directory()).orElse(DEFAULT_SHAPE);
    return Cluster.start(clusterOptions(newShape(kept)));
  }

  private String durability(Cluster cluster) {
    return cluster.isEmbedded() ? options.node.durability.name() : "as the nodes were started with";
  }

  /** Nodes that run already have their options. */
  private void checkOptionsOfNodes() {
    for (String name : OPTIONS_OF_NODES) {
      if (spec.commandLine().getParseResult().hasMatchedOption(name)) {
        throw wrong(name + " is for nodes in this process, but those of the cluster run already");
      }
    }
  }

  private ClusterShape newShape(ClusterShape defaults) {
    return defaults.orNew(
        options.nodes == null ? defaults.nodes() : options.nodes,
        options.partitions == null ? defaults.partitionsPerNode() : options.partitions);
  }

  private ClusterOptions clusterOptions(ClusterShape shape) {
    return new ClusterOptions(
        target.directory(),
        shape,
        options.node.apply(TweetCluster.engineOptions(target.directory())).build());
  }

  private DatasetOptions newDataset(ClusterShape shape) {
    List<String> texts = options.indexes == null ? DEFAULT_INDEXES : options.indexes;
    List<IndexDefinition> indexes =
        texts.equals(List.of("none"))
            ? List.of()
            : texts.stream().map(IndexDefinition::parse).toList();
    return DatasetOptions.of(TweetCluster.DATASET, TweetCluster.PRIMARY_KEY)
        .withIndexes(indexes)
        .withMemoryBytes(options.memoryBytes(shape.nodes()))
        .withMergePolicy(options.policy)
        .withMaintenance(options.maintenance)
        .withFilterField(options.filterField())
        .withTimeToLive(options.life.ofRecords());
  }

  /** Creates the dataset, or opens it: with the indexes it has unless others are asked for. */
  private void prepareDataset(Cluster cluster) throws StorageException, JobFailedException {
    DatasetOptions dataset = options.fitted(newDataset(cluster.shape()), cluster);
    if (TweetCluster.holdsTweets(cluster)) {
      dataset = asThere(dataset, cluster.describe(TweetCluster.DATASET));
    }
    cluster.createOrOpenDataset(dataset);
  }

  /** What was not asked for is as it is. */
  private DatasetOptions asThere(DatasetOptions asked, DatasetOptions there) {
    DatasetOptions kept = options.life.given() ? asked : asked.withTimeToLive(there.timeToLive());
    DatasetOptions dataset = options.indexes == null ? kept.withIndexes(there.indexes()) : kept;
    return options.filter == null ? dataset.withFilterField(there.filterField()) : dataset;
  }

  private long startOr(long otherwise) {
    return options.start == null ? otherwise : options.start;
  }

  private long firstId(Cluster cluster) throws StorageException, JobFailedException {
    if (options.start != null || options.feed != null) {
      return startOr(0);
    }
    OptionalLong highest = TweetCluster.highestId(cluster);
    if (highest.isEmpty()) {
      return 0;
    }
    context.console().err().println("Going on after id " + highest.getAsLong() + ".");
    return highest.getAsLong() + 1;
  }
}
