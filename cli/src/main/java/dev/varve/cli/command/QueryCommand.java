package dev.varve.cli.command;

import dev.varve.btree.KeyRange;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.Key;
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
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

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
  private final CommandContext context;

  @Mixin private CommonOptions common = new CommonOptions();

  @Mixin private SearchOptions options = new SearchOptions();

  /** A command that prints to a context's console. */
  public QueryCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws StorageException, JobFailedException {
    if (options.selection.id() != null && options.field != null) {
      throw options.wrong("--by needs a range or a search, not --get");
    }
    options.check();
    QueryResult result;
    try (Cluster cluster = TweetCluster.open(common.directory)) {
      TweetQuery query = query(cluster);
      long began = context.clock().nanoTime();
      List<QueryResult.Found> records = new ArrayList<>();
      long matches;
      if (options.count) {
        matches = query.count(cluster);
      } else {
        for (byte[] record :
            query.first(cluster, (int) Math.min(Integer.MAX_VALUE, options.most()))) {
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
    } else if (options.count) {
      result.printCount(console);
    } else {
      result.print(console);
    }
    return 0;
  }

  private TweetQuery query(Cluster cluster) throws StorageException, JobFailedException {
    Key id = options.selection.id();
    SearchTerms terms = options.selection.terms();
    KeyRange range = options.selection.range();
    if (id != null) {
      return new TweetQuery.Point(id);
    }
    if (range != null) {
      return options.field == null
          ? new TweetQuery.Scan(range)
          : new TweetQuery.Range(index(cluster, IndexChoice.of(range)), range);
    }
    SearchTerms searched = Objects.requireNonNull(terms);
    return new TweetQuery.Search(index(cluster, IndexChoice.of(searched)), searched);
  }

  private String index(Cluster cluster, IndexChoice choice)
      throws StorageException, JobFailedException {
    return options.index(cluster.describe(TweetCluster.DATASET), choice);
  }
}
