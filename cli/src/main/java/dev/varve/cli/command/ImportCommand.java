package dev.varve.cli.command;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.Dataset;
import dev.varve.dataset.EngineSeams;
import dev.varve.dataset.KeyValueStore;
import dev.varve.dataset.RunningEngine;
import dev.varve.dataset.StorageEngine;
import dev.varve.dataset.model.ClusterPlace;
import dev.varve.dataset.model.EngineRequest;
import dev.varve.dataset.model.FieldPath;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.dataset.options.KeyValueOptions.Operator;
import dev.varve.hyracks.feed.ColumnType;
import dev.varve.hyracks.feed.InputSource;
import dev.varve.report.Progress;
import dev.varve.report.command.CommandContext;
import dev.varve.report.command.StopSignal;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code varve import}: files into a dataset or key-value store. */
@Command(
    name = "import",
    sortOptions = false,
    description =
        "Put the records of files into a dataset or key-value store of one engine or of a cluster, at"
            + " rest or beside the process that runs it, which then takes them. Where nothing is, the directory and its store are made; a directory of"
            + " something else is refused and left alone.",
    footer = {
      "",
      "Into an empty dataset by a bulk load: killed at any moment, each partition has all of its",
      "records or none. Into one with records by upserts, and into a key-value store by puts, which",
      "a kill leaves up to some record: the same import again makes it whole. Of several records",
      "with one key the last counts. Beside a running process all are upserts or puts. Exit code 1 when records were rejected: the others are in.",
      "",
      "Formats: ndjson (an object a line), json (arrays of objects), csv and tsv (a header line;",
      "what looks like a number or truth value is one, unless in quotes or by --types), geojson (each feature is",
      "a record). gzip and zstd are seen. Without --format the name says it: .csv, .tsv, .json, .geojson,",
      "each also with .gz or .zst; all else is ndjson. Records for a key-value store have the texts 'key'",
      "and 'value', hexadecimal behind 0x where they are no plain text.",
      "",
      "Examples:",
      "  varve import --dir /tmp/places --dataset places --key id --index rtree:geometry a.geojson",
      "  varve export --dir /tmp/old --dataset d | varve import --dir /tmp/new --dataset d --key id"
          + " -",
      "  varve import --dir /tmp/ycsb --dataset usertable --pairs pairs.ndjson --json"
    })
public final class ImportCommand implements Callable<Integer> {
  private final CommandContext context;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private CommonOptions common = new CommonOptions();

  @Option(
      names = "--dataset",
      required = true,
      paramLabel = "NAME",
      description = "The dataset or key-value store; made when it is not there.")
  private String dataset = "";

  @Option(
      names = "--key",
      paramLabel = "FIELD",
      split = ",",
      description = "Primary key of a new dataset: one field or several.")
  private @Nullable List<String> key;

  @Option(
      names = "--index",
      paramLabel = "[KIND:]FIELD",
      split = ",",
      description =
          "Secondary indexes of a new dataset. KIND is btree (default), rtree, keyword, ngram3 and"
              + " others.")
  private @Nullable List<String> indexes;

  @Option(
      names = "--filter",
      paramLabel = "FIELD",
      description =
          "Field that components of a new dataset are filtered by, in practice a time: reads with"
              + " --filter-range leave out components that have no record for them.")
  private @Nullable String filter;

  @Mixin private LifeOption life = new LifeOption();

  @Option(names = "--pairs", description = "What is new is a key-value store, not a dataset.")
  private boolean pairs;

  @Option(
      names = "--operator",
      paramLabel = "OPERATOR",
      description =
          "What operands that programs merge do to the values of a new key-value store: add_long,"
              + " max or min.")
  private @Nullable Operator operator;

  @Option(names = "--format", paramLabel = "FORMAT", description = "Format of all files.")
  private @Nullable String format;

  @Option(
      names = "--types",
      paramLabel = "COLUMN=TYPE",
      split = ",",
      description =
          "Types of columns of csv and tsv, where the first 1,000 rows do not tell: integer, decimal,"
              + " boolean or text.")
  private Map<String, ColumnType> types = Map.of();

  @Option(
      names = "--rejects",
      paramLabel = "FILE",
      description =
          "Write rejected records to a new file, a JSON object a line: place, reason, message and"
              + " record.")
  private @Nullable Path rejects;

  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description = "Files or FIFOs, '-' for standard input, http:// or https:// addresses.")
  private List<String> files = new ArrayList<>();

  /** A command that prints to a context's console. */
  public ImportCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws StorageException {
    List<InputSource> inputs = inputs();
    checkOptions();
    for (String file : files) {
      requirePresent(file);
    }
    ImportSummary summary;
    try (RestingEngines engines = openOrCreate();
        RejectedRecords rejected =
            RejectedRecords.open(context.console().err(), context.files(), rejects);
        ImportTarget target = engines == null ? openBeside(rejected) : open(engines)) {
      ImportRun run =
          new ImportRun(
              context,
              target,
              rejected,
              new ImportSummary.Target(common.directory.toString(), dataset, target.method()));
      try (StopSignal signal = StopSignal.listenToEnd(() -> sayStopped(target, run))) {
        assert signal.exitCode() == 0 : "the process has ended";
        summary = run.run(inputs);
      }
    }
    if (common.json) {
      context.console().printJson(summary);
    } else {
      summary.print(context.console());
    }
    return summary.exitCode();
  }

  /** The last words of an import that is stopped, of which a kill leaves as much. */
  private void sayStopped(ImportTarget target, ImportRun run) {
    if (common.json) {
      context.console().printJson(run.ifStopped());
    }
    PrintWriter err = context.console().err();
    if (context.progress().style() == Progress.Style.BAR) {
      err.println();
    }
    err.printf("Stopped. %s; the same import again makes it whole.%n", target.leftByStop());
    err.flush();
  }

  /** The engines; null when another process runs them. */
  @MustBeClosed
  private @Nullable RestingEngines openOrCreate() throws StorageException {
    try {
      return RestingEngines.openOrCreate(context.files(), common.directory);
    } catch (ConflictException inUse) {
      if (inUse.reason() != ConflictException.Reason.DIRECTORY_IN_USE) {
        throw inUse;
      }
      return null;
    }
  }

  /** Has the processes that run the engines make the store where it is not there. */
  @MustBeClosed
  private ImportTarget openBeside(RejectedRecords rejected) throws StorageException {
    List<Path> engines = EngineDirectories.of(context.files(), common.directory);
    EngineSeams seams = EngineSeams.ofSystem(context.files());
    DatasetOptions made = null;
    ClusterPlace place;
    EngineRequest wanted = EngineRequest.createKeyValueStore(dataset);
    boolean there;
    try (RestingEngines look =
        RestingEngines.open(context.files(), common.directory, RestingEngines.Access.READ)) {
      place = look.nodes().get(0).place();
      there = look.stores().stream().anyMatch(store -> store.name().equals(dataset));
      if (holdsPairs(look)) {
        requireForPairs(look.nodes());
      } else {
        made = optionsBeside(look);
        wanted =
            EngineRequest.createDataset(
                dataset,
                key == null ? List.of() : key,
                indexes == null ? List.of() : indexes,
                look.partitions());
      }
    }
    if (!there && (filter != null || operator != null || life.given())) {
      throw new RequestException(
          RequestException.Reason.UNSUPPORTED,
          "a process runs "
              + common.directory
              + ", and makes stores without a filter field, an operator and a time to live; import"
              + " when it has ended");
    }
    if (!there) {
      for (Path engine : engines) {
        try (RunningEngine asked = RunningEngine.ask(seams, engine, wanted)) {
          assert asked != null;
        }
      }
    }
    return new RunningTarget(seams, dataset, made, place, engines, rejected);
  }

  /** What the dataset is, or will be. */
  private DatasetOptions optionsBeside(RestingEngines look) throws StorageException {
    DatasetOptions options = options(look, look.nodes());
    for (StorageEngine node : look.nodes()) {
      if (node.names().contains(dataset) && !node.dataset(dataset).options().equals(options)) {
        throw new ConflictException(
            ConflictException.Reason.OPTIONS_MISMATCH,
            "dataset '%s' has the key %s and the indexes %s; leave --key, --index and --filter out"
                .formatted(
                    dataset,
                    node.dataset(dataset).options().primaryKey(),
                    node.dataset(dataset).options().indexes()));
      }
    }
    return options;
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private List<InputSource> inputs() {
    List<InputSource> inputs = new ArrayList<>();
    for (String file : files) {
      try {
        inputs.add(
            new InputSource(
                List.of(file), format == null ? formatOf(file) : format, new TreeMap<>(types)));
      } catch (IllegalArgumentException problem) {
        throw wrong(String.valueOf(problem.getMessage()));
      }
    }
    return inputs;
  }

  /** The format that a name stands for. */
  private static String formatOf(String file) {
    String name = InputSource.unpackedName(file);
    String ending = name.substring(name.lastIndexOf('.') + 1);
    return switch (ending) {
      case "csv", "tsv", "json", "geojson" -> ending;
      default -> "ndjson";
    };
  }

  /** What the parser can't see, before anything is opened or made. */
  private void checkOptions() throws StorageException {
    if (pairs && saysHowRecordsLie()) {
      throw wrong("--pairs goes with none of --key, --index and --filter");
    }
    if (operator != null && !pairs) {
      throw wrong("--operator goes with --pairs");
    }
    if (key == null && !pairs && RestingEngines.isNew(context.files(), common.directory)) {
      throw wrong("a new dataset needs --key");
    }
    try {
      if (pairs) {
        KeyValueOptions checked = newPairs();
        assert checked.timeToLive().isPresent() == life.given();
      } else {
        DatasetOptions checked = newDataset(1);
        assert checked.name().equals(dataset);
      }
    } catch (IllegalArgumentException problem) {
      throw wrong(String.valueOf(problem.getMessage()));
    }
  }

  private boolean saysHowRecordsLie() {
    return key != null || indexes != null || filter != null;
  }

  private DatasetOptions newDataset(int partitions) {
    List<String> fields = key == null ? List.of("key") : key;
    List<String> texts = indexes == null ? List.of() : indexes;
    return DatasetOptions.of(dataset, fields.get(0))
        .withPrimaryKey(fields.stream().map(FieldPath::parse).toList())
        .withIndexes(texts.stream().map(IndexDefinition::parse).toList())
        .withPartitions(partitions)
        .withFilterField(Optional.ofNullable(filter).map(FieldPath::parse))
        .withTimeToLive(life.ofRecords());
  }

  private KeyValueOptions newPairs() {
    KeyValueOptions options =
        life.ofPairs()
            .map(KeyValueOptions.DEFAULTS::withTimeToLive)
            .orElse(KeyValueOptions.DEFAULTS);
    return operator == null ? options : options.withOperator(operator);
  }

  /** Inputs are opened when it is their turn, but one that is not there ends all before. */
  private void requirePresent(String file) throws StorageException {
    if (file.equals(InputSource.STANDARD) || file.contains("://")) {
      return;
    }
    if (!context.files().exists(Path.of(file))) {
      throw new DiskException(file, "open", (IOException) new NoSuchFileException(file));
    }
  }

  @MustBeClosed
  private ImportTarget open(RestingEngines engines) throws StorageException {
    List<StorageEngine> nodes = engines.nodes();
    return holdsPairs(engines) ? openPairs(nodes) : openRecords(engines, nodes);
  }

  /** Whether the store holds pairs, or will. */
  private boolean holdsPairs(RestingEngines engines) throws StorageException {
    boolean there = engines.nodes().stream().anyMatch(node -> node.names().contains(dataset));
    if (!there && key == null && !pairs) {
      throw wrong("'" + dataset + "' is not there, and a new dataset needs --key");
    }
    return there ? new StoreReader(engines.stores(dataset)).holdsPairs() : pairs;
  }

  @MustBeClosed
  private ImportTarget openPairs(List<StorageEngine> nodes) throws StorageException {
    requireForPairs(nodes);
    KeyValueStore store = nodes.get(0).openKeyValueStore(dataset, newPairs());
    return new PairTarget(store);
  }

  private void requireForPairs(List<StorageEngine> nodes) throws RequestException {
    if (nodes.size() > 1 || saysHowRecordsLie()) {
      throw new RequestException(
          RequestException.Reason.UNSUPPORTED,
          "'"
              + dataset
              + "' is a key-value store, which has no --key, --index or --filter, and is in one engine");
    }
  }

  @MustBeClosed
  private ImportTarget openRecords(RestingEngines engines, List<StorageEngine> nodes)
      throws StorageException {
    List<Dataset> datasets = new ArrayList<>();
    DatasetOptions options = options(engines, nodes);
    for (StorageEngine node : nodes) {
      datasets.add(node.openDataset(options));
    }
    try {
      return new LoadTarget(datasets);
    } catch (ConflictException full) {
      if (full.reason() != ConflictException.Reason.NOT_EMPTY) {
        throw full;
      }
      return new UpsertTarget(datasets);
    }
  }

  /** As the dataset is, where it is there, with what the options say differently. */
  private DatasetOptions options(RestingEngines engines, List<StorageEngine> nodes)
      throws StorageException {
    DatasetOptions wanted = newDataset(engines.partitions());
    for (StorageEngine node : nodes) {
      if (node.names().contains(dataset)) {
        DatasetOptions found = node.dataset(dataset).options();
        DatasetOptions kept = key == null ? found : found.withPrimaryKey(wanted.primaryKey());
        kept = indexes == null ? kept : kept.withIndexes(wanted.indexes());
        kept = filter == null ? kept : kept.withFilterField(wanted.filterField());
        return life.given() ? kept.withTimeToLive(wanted.timeToLive()) : kept;
      }
    }
    return wanted;
  }
}
