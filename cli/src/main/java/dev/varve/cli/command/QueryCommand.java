package dev.varve.cli.command;

import dev.varve.btree.KeyRange;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.hyracks.node.Cluster;
import dev.varve.hyracks.node.JobFailedException;
import dev.varve.hyracks.operator.SearchTerms;
import dev.varve.report.Console;
import dev.varve.report.command.CommandContext;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code varve query}: a record, a range of keys, or what is at a place or in a text. */
@Command(
    name = "query",
    sortOptions = false,
    description =
        "Read records by primary key, or through a secondary index: by the range of a field, by"
            + " place, or by text.",
    footer = {
      "",
      "A bound of a range is a number, true, false, or text (in double quotes where it looks like",
      "one of those). Both bounds are included; either may be left out.",
      "",
      "Examples:",
      "  varve query --dir /tmp/tweets --get 4711",
      "  varve query --dir /tmp/tweets --range 1000:1999 --count",
      "  varve query --dir /tmp/tweets --by user.followers_count --range 5000:5009 --json",
      "  varve query --dir /tmp/tweets --near -73.9,40.7,0.5 --count",
      "  varve query --dir /tmp/tweets --nearest -73.9,40.7,10",
      "  varve query --dir /tmp/tweets --by message_text --words \"blue sky\" --limit 3"
    })
public final class QueryCommand implements Callable<Integer> {
  private static final int DEFAULT_LIMIT = 100;

  private final CommandContext context;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private CommonOptions common = new CommonOptions();

  @ArgGroup(exclusive = true, multiplicity = "1")
  private QuerySelection selection = new QuerySelection();

  @Option(
      names = "--by",
      paramLabel = "FIELD",
      description =
          "Ask the secondary index on this field: needed for a range of anything but the primary"
              + " key, and where several indexes could answer.")
  private @Nullable String field;

  @Option(names = "--count", description = "Print how many match, not the records.")
  private boolean count;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Print at most N records (default: 100; with --nearest all K).")
  private @Nullable Integer limit;

  /** A command that prints to a context's console. */
  public QueryCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws StorageException, JobFailedException {
    if (selection.id() != null && field != null) {
      throw wrong("--by needs a range or a search, not --get");
    }
    if (limit != null && limit < 0) {
      throw wrong("--limit " + limit + " is negative");
    }
    QueryResult result;
    try (Cluster cluster = TweetCluster.open(common.directory)) {
      TweetQuery query = query(cluster);
      long began = context.clock().nanoTime();
      List<QueryResult.Found> records = new ArrayList<>();
      long matches;
      if (count) {
        matches = query.count(cluster);
      } else {
        for (byte[] record : query.first(cluster, most())) {
          records.add(new QueryResult.Found(new String(record, StandardCharsets.UTF_8)));
        }
        matches = records.size();
      }
      double seconds = (context.clock().nanoTime() - began) / 1e9;
      result = new QueryResult("query", query.index(), matches, seconds, records);
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

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private TweetQuery query(Cluster cluster) throws StorageException, JobFailedException {
    Key id = selection.id();
    SearchTerms terms = selection.terms();
    KeyRange range = selection.range();
    if (id != null) {
      return new TweetQuery.Point(id);
    }
    if (range != null) {
      return field == null
          ? new TweetQuery.Scan(range)
          : new TweetQuery.Range(index(cluster, IndexChoice.of(range)), range);
    }
    SearchTerms searched = Objects.requireNonNull(terms);
    return new TweetQuery.Search(index(cluster, IndexChoice.of(searched)), searched);
  }

  /** The one index that answers. */
  private String index(Cluster cluster, IndexChoice choice)
      throws StorageException, JobFailedException {
    DatasetOptions tweets = cluster.describe(TweetCluster.DATASET);
    List<IndexDefinition> found = choice.among(tweets, field);
    if (found.size() > 1) {
      throw wrong("several indexes could answer, so choose with --by: " + IndexChoice.names(found));
    }
    return found.get(0).name();
  }

  private int most() {
    if (limit != null) {
      return limit;
    }
    return selection.terms() instanceof SearchTerms.Nearest nearest
        ? nearest.records()
        : DEFAULT_LIMIT;
  }
}
