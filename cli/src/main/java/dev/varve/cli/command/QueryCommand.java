package dev.varve.cli.command;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.btree.KeyRange;
import dev.varve.cli.report.Console;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.record.Key;
import dev.varve.hyracks.node.Cluster;
import dev.varve.hyracks.node.JobFailedException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code varve query}: a record, a range of primary keys, or a range of a secondary index. */
@Command(
    name = "query",
    description = "Read records by primary key, or by the field of a secondary index.",
    footer = {
      "",
      "A bound is a number, true, false, or text (in double quotes where it looks like one of",
      "those). Both bounds are included; either may be left out.",
      "",
      "Examples:",
      "  varve query --dir /tmp/tweets --get 4711",
      "  varve query --dir /tmp/tweets --range 1000:1999 --count",
      "  varve query --dir /tmp/tweets --by user.followers_count --range 5000:5009 --json"
    })
public final class QueryCommand implements Callable<Integer> {
  private final CommandContext context;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private CommonOptions common = new CommonOptions();

  @ArgGroup(exclusive = true, multiplicity = "1")
  private Selection selection = new Selection();

  @Option(
      names = "--by",
      paramLabel = "FIELD",
      description = "The range is over this field, which has a secondary index.")
  private @Nullable String field;

  @Option(names = "--count", description = "Print how many match, not the records.")
  private boolean count;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Print at most N records (default: ${DEFAULT-VALUE}).",
      defaultValue = "100")
  private int limit;

  /** One record, or a range. */
  private static final class Selection {
    @Option(names = "--get", paramLabel = "ID", description = "The record with a primary key.")
    private @Nullable String id;

    @Option(
        names = "--range",
        paramLabel = "LOW:HIGH",
        converter = RangeArgument.Converter.class,
        description = "Records from LOW to HIGH, both included; either may be left out.")
    private @Nullable RangeArgument range;
  }

  /** A command that prints to a context's console. */
  public QueryCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws StorageException, JobFailedException {
    Key id = selection.id == null ? null : KeyArgument.parse(selection.id);
    if (id != null && field != null) {
      throw new ParameterException(spec.commandLine(), "--by needs --range, not --get");
    }
    if (limit < 0) {
      throw new ParameterException(spec.commandLine(), "--limit " + limit + " is negative");
    }
    QueryResult result;
    try (Cluster cluster = TweetCluster.open(common.directory)) {
      long began = context.clock().nanoTime();
      List<QueryResult.Found> records = id == null ? inRange(cluster) : withId(cluster, id);
      long matches = count && id == null ? count(cluster) : records.size();
      double seconds = (context.clock().nanoTime() - began) / 1e9;
      result = new QueryResult("query", matches, seconds, count ? List.of() : records);
    }
    Console console = context.console();
    if (common.json) {
      console.printJson(result);
    } else if (count) {
      result.printCount(console);
    } else {
      result.print(console);
    }
    return 0;
  }

  private static List<QueryResult.Found> withId(Cluster cluster, Key id)
      throws StorageException, JobFailedException {
    return cluster.get(TweetCluster.DATASET, id).stream()
        .map(record -> new QueryResult.Found(new String(record, StandardCharsets.UTF_8)))
        .toList();
  }

  private List<QueryResult.Found> inRange(Cluster cluster)
      throws StorageException, JobFailedException {
    List<QueryResult.Found> records = new ArrayList<>();
    if (count || limit == 0) {
      return records;
    }
    try (dev.varve.hyracks.node.QueryResult found = search(cluster)) {
      while (records.size() < limit && found.next()) {
        byte[] record = found.record().toByteArray();
        records.add(new QueryResult.Found(new String(record, StandardCharsets.UTF_8)));
      }
    }
    return records;
  }

  @MustBeClosed
  private dev.varve.hyracks.node.QueryResult search(Cluster cluster)
      throws StorageException, JobFailedException {
    if (field == null) {
      return cluster.scanFirst(TweetCluster.DATASET, range(), limit);
    }
    return cluster.searchFirst(TweetCluster.DATASET, field, range(), limit);
  }

  private long count(Cluster cluster) throws StorageException, JobFailedException {
    return field == null
        ? cluster.countScan(TweetCluster.DATASET, range())
        : cluster.countSearch(TweetCluster.DATASET, field, range());
  }

  private KeyRange range() {
    RangeArgument range = selection.range;
    return range == null ? KeyRange.all() : range.toKeyRange();
  }
}
