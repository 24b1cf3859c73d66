package dev.varve.cli.command;

import dev.varve.dataset.model.FieldPath;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexMaintenance;
import dev.varve.dataset.options.MergePolicyOptions;
import dev.varve.hyracks.feed.ColumnType;
import dev.varve.hyracks.feed.MappedSource;
import dev.varve.hyracks.feed.OnFull;
import dev.varve.hyracks.feed.RecordSource;
import dev.varve.hyracks.node.Cluster;
import dev.varve.hyracks.node.IngestRequest;
import dev.varve.hyracks.operator.WriteMode;
import dev.varve.report.command.ByteSize;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code varve ingest}. Filled by picocli. */
final class IngestOptions {
  private static final long MEMORY_BYTES = 128 << 20;

  /** Generated tweets or somebody's data. */
  static final class What {
    @Option(
        names = {"-n", "--tweets"},
        required = true,
        paramLabel = "N",
        description = "How many tweets to ingest.")
    long tweets;

    @Option(
        names = "--input",
        required = true,
        arity = "1..*",
        paramLabel = "INPUT",
        description =
            "Files or FIFOs, also with * and ? in their names, watch:DIR for all that is in a"
                + " directory or comes there until the feed is stopped, '-' for standard input,"
                + " tcp://HOST:PORT to connect to, tcp-listen://HOST:PORT to be connected to by one"
                + " client after the other (on loopback without HOST), http:// or https://"
                + " addresses to get; gzip and zstd are seen. Or http-listen://HOST:PORT: this"
                + " process takes records by POST, and answers when they are durable.")
    @Nullable List<String> inputs;
  }

  @ArgGroup(multiplicity = "1")
  What what = new What();

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "ndjson",
      description =
          "How inputs become records: ndjson (a JSON object a line), json (arrays of objects),"
              + " csv or tsv (under a header line), geojson (features of a collection), or a"
              + " plug-in's (default: ndjson).")
  String format = "ndjson";

  @Option(
      names = "--types",
      paramLabel = "COLUMN=TYPE",
      split = ",",
      description =
          "Types of columns of csv and tsv files, where the first 1,000 rows do not tell: integer,"
              + " decimal, boolean or text.")
  Map<String, ColumnType> types = Map.of();

  @Option(
      names = "--map",
      paramLabel = "RULE",
      split = ",",
      description =
          "Change the fields of records of inputs, in this order: NEW=OLD (moved),"
              + " NEW=OLD+OLD (an array of both: a point of longitude and latitude), NEW=# (an id"
              + " of the input's name and the record's number; a random one where an input can't be"
              + " read again) or OLD= (left out).")
  List<String> map = List.of();

  @Option(
      names = "--dataset",
      paramLabel = "NAME",
      description = "Dataset that inputs go into; made when it is not there.")
  @Nullable String dataset;

  @Option(
      names = "--key",
      paramLabel = "FIELD",
      split = ",",
      defaultValue = "id",
      description = "Primary key of a new dataset for inputs: one field or several (default: id).")
  List<String> key = List.of("id");

  @Option(
      names = "--max-refused",
      paramLabel = "N",
      description =
          "Stop and fail with a LimitException, exit code 1, when more records of the inputs are"
              + " refused; those that were acknowledged stay.")
  @Nullable Long mostRefused;

  @Option(
      names = "--on-full",
      paramLabel = "POLICY",
      defaultValue = "throttle",
      description =
          "What is done when inputs give more than the dataset takes: throttle (they wait), spill"
              + " (records wait in files of the node, up to 4 GB for each of --feeds) or discard"
              + " (records are left out and counted) (default: throttle).")
  OnFull onFull = OnFull.THROTTLE;

  @Option(
      names = "--feed",
      paramLabel = "NAME",
      description =
          "Keep, with the records, how far each input has come: the same command, called again"
              + " after whatever ended it, goes on there, and leaves out and doubles nothing. New"
              + " data need another name.")
  @Nullable String feed;

  @Option(
      names = "--rejects",
      paramLabel = "FILE",
      description =
          "Write what the named feed has left out so far into a new file, a JSON object a line, with"
              + " the input, the number of the record in it, the reason and the record's beginning.")
  @Nullable Path rejects;

  @Option(
      names = "--retry",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description =
          "How long a named feed waits for a node or controller that has died, and goes on by"
              + " itself when it is back; 0 not at all (default: 60).")
  long retrySeconds = 60;

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "42",
      description = "Which tweets: a tweet is a function of seed and id (default: 42).")
  long seed;

  @Option(
      names = "--start",
      paramLabel = "ID",
      description =
          "Id of the first tweet (default: 0, or one above the highest id in the directory).")
  @Nullable Long start;

  @Option(names = "--nodes", paramLabel = "N", description = "Nodes of a new cluster (default: 2).")
  @Nullable Integer nodes;

  @Option(
      names = "--partitions",
      paramLabel = "N",
      description = "Partitions of the dataset on each node of a new cluster (default: 2).")
  @Nullable Integer partitions;

  @Option(
      names = "--index",
      paramLabel = "[KIND:]FIELD",
      split = ",",
      description =
          "Secondary indexes of a new dataset, or 'none'. KIND is btree (default), rtree or"
              + " rtree-deleted-keys (points and rectangles), keyword (words of a text), ngram3 or"
              + " another length (substrings of a text), primary-key (default:"
              + " user.followers_count,send_time_millis).")
  @Nullable List<String> indexes;

  @Option(
      names = "--filter",
      paramLabel = "FIELD",
      description =
          "Field that components of a new dataset are filtered by, in practice a time: reads with"
              + " --filter-range leave out components that have no record for them.")
  @Nullable String filter;

  @Mixin LifeOption life = new LifeOption();

  @Option(
      names = "--upsert",
      description = "Replace tweets that are there; otherwise they are refused and counted.")
  boolean upsert;

  @Option(
      names = "--acks",
      paramLabel = "FILE",
      description =
          "Append '<partition> <id>' lines: every tweet of this ingest up to that id which belongs"
              + " to that partition is durable.")
  @Nullable Path acknowledgements;

  @Option(
      names = "--memory",
      paramLabel = "BYTES",
      converter = ByteSize.Converter.class,
      description =
          "Memory components of a new dataset, on each node (default: 128m, or an eighth of the"
              + " node's part of the heap where that is less; 64m where nodes are processes).")
  @Nullable ByteSize memory;

  @Option(
      names = "--policy",
      paramLabel = "POLICY",
      converter = PolicyArgument.class,
      defaultValue = "prefix:1g:5:1.2",
      description =
          "Merge policy of a new dataset: none, prefix:BYTES:N, tiering:T, leveling:T,"
              + " partitioned-leveling:T, size-tiered:RATIO:MIN:MAX and others"
              + " (default: ${DEFAULT-VALUE}).")
  MergePolicyOptions policy = MergePolicyOptions.none();

  @Option(
      names = "--maintenance",
      paramLabel = "STRATEGY",
      defaultValue = "eager",
      description =
          "How secondary indexes of a new dataset follow upserts: eager (the old record is read,"
              + " and its entries go), lazy (it is not read; searches leave out what is obsolete)"
              + ", validation (as lazy; merges leave it out, too, by an index of primary keys) or"
              + " mutable-bitmap (as validation; scans of old values of --filter know what is dead)"
              + " (default: ${DEFAULT-VALUE}).")
  IndexMaintenance maintenance = IndexMaintenance.EAGER;

  @Mixin NodeArguments node = new NodeArguments();

  @Option(
      names = "--feeds",
      paramLabel = "N",
      defaultValue = "1",
      description = "How many sources generate tweets at a time; 1 with --acks (default: 1).")
  int feeds;

  /** A feed into a dataset, as these options have it. */
  IngestRequest request(String into, RecordSource source, int sources) {
    RecordSource mapped = map.isEmpty() ? source : new MappedSource(source, map);
    IngestRequest request =
        new IngestRequest(into, mapped, upsert ? WriteMode.UPSERT : WriteMode.INSERT, sources)
            .whenFull(onFull);
    return feed == null ? request : request.named(feed, TimeUnit.SECONDS.toNanos(retrySeconds));
  }

  /** What is said beside too many refusals: what is in the dataset, and where the rejects are. */
  String whereRejectsAre(long acknowledged) {
    String where =
        rejects != null
            ? rejects + " has all that the feed has left out"
            : (feed == null ? "--feed NAME --rejects FILE keeps" : "--rejects FILE writes")
                + " all that is left out";
    return "%,d records of this run are in '%s'; %s".formatted(acknowledged, dataset, where);
  }

  /** The field that components of a new dataset are filtered by. */
  Optional<FieldPath> filterField() {
    return Optional.ofNullable(filter).map(FieldPath::parse);
  }

  /**
   * A dataset that is to be made in a cluster: where nodes are processes their heap is not known
   * here, and no engine refuses this much.
   */
  DatasetOptions fitted(DatasetOptions dataset, Cluster cluster) {
    long asked = dataset.memoryBytes();
    boolean unknown = memory == null && !cluster.isEmbedded();
    long bytes = unknown ? Math.min(asked, DatasetOptions.DEFAULT_MEMORY_BYTES) : asked;
    assert bytes > 0 : bytes;
    return dataset.withMemoryBytes(bytes);
  }

  /** Bytes of memory components on each of so many nodes. */
  long memoryBytes(int ofNodes) {
    ByteSize given = memory;
    return given == null
        ? Math.min(MEMORY_BYTES, Runtime.getRuntime().maxMemory() / 8 / ofNodes)
        : given.bytes();
  }
}
