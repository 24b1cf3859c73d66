package dev.varve.cli.command;

import dev.varve.btree.KeyRange;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.Key;
import dev.varve.hyracks.node.Cluster;
import dev.varve.hyracks.node.JobFailedException;
import dev.varve.hyracks.node.ValueCounts;
import dev.varve.hyracks.operator.Aggregate;
import dev.varve.hyracks.operator.ReadRequest;
import dev.varve.hyracks.operator.SearchTerms;
import dev.varve.report.Console;
import dev.varve.report.command.CommandContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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
      "  varve query --dir /tmp/places --dataset places --range : --group country",
      "  varve query --dir /tmp/tweets --near -73.9,40.7,0.5 --count",
      "  varve query --dir /tmp/places --dataset places --range : --group country",
      "  varve query --dir /tmp/tweets --nearest -73.9,40.7,10",
      "  varve query --dir /tmp/tweets --by message_text --words \"blue sky\" --limit 3"
    })
public final class QueryCommand implements Callable<Integer> {
  private final CommandContext context;

  @Mixin private TargetOptions target = new TargetOptions();

  @Option(
      names = "--dataset",
      paramLabel = "NAME",
      defaultValue = TweetCluster.DATASET,
      description = "The dataset (default: ${DEFAULT-VALUE}).")
  private String dataset = TweetCluster.DATASET;

  @Mixin private SearchOptions options = new SearchOptions();

  @Mixin private FilterOption filter = new FilterOption();

  /** The index that answers. */
  private String index = IndexNames.PRIMARY;

  /** A command that prints to a context's console. */
  public QueryCommand(CommandContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws StorageException, JobFailedException {
    if (options.selection.id() != null && options.field != null) {
      throw options.wrong("--by needs a range or a search, not --get");
    }
    if (options.selection.id() != null && filter.range() != null) {
      throw options.wrong("--filter-range needs a range or a search, not --get");
    }
    options.check();
    Aggregate aggregate = options.answer.aggregate();
    Console console = context.console();
    try (Cluster cluster = target.open()) {
      ReadRequest request = request(cluster);
      if (aggregate != null) {
        ValuesResult values = values(cluster, request, aggregate);
        if (target.json) {
          console.printJson(values);
        } else {
          values.print(console);
        }
        return 0;
      }
      QueryResult result = read(cluster, request);
      if (target.json) {
        console.printJson(result);
      } else if (options.answer.count) {
        result.printCount(console);
      } else {
        result.print(console);
      }
    }
    return 0;
  }

  private ValuesResult values(Cluster cluster, ReadRequest request, Aggregate aggregate)
      throws StorageException, JobFailedException {
    long began = context.clock().nanoTime();
    List<ValuesResult.Found> found = new ArrayList<>();
    try (ValueCounts values = cluster.values(request, aggregate)) {
      while (values.next()) {
        found.add(ValuesResult.Found.of(values.value(), values.records()));
      }
    }
    return ValuesResult.of("query", index, aggregate.kind(), found)
        .in((context.clock().nanoTime() - began) / 1e9);
  }

  private QueryResult read(Cluster cluster, ReadRequest request)
      throws StorageException, JobFailedException {
    long began = context.clock().nanoTime();
    List<QueryResult.Found> records = new ArrayList<>();
    long matches;
    Key id = options.selection.id();
    if (id != null) {
      cluster.get(dataset, id).ifPresent(record -> records.add(QueryResult.Found.of(record)));
      matches = records.size();
    } else if (options.answer.count) {
      matches = cluster.count(request);
    } else {
      try (dev.varve.hyracks.node.QueryResult found = cluster.read(request)) {
        while (found.next()) {
          records.add(QueryResult.Found.of(found.record().toByteArray()));
        }
      }
      matches = records.size();
    }
    double seconds = (context.clock().nanoTime() - began) / 1e9;
    long most = options.answer.count ? 0 : options.most();
    return new QueryResult("query", index, matches, seconds, records.stream().limit(most).toList());
  }

  private ReadRequest request(Cluster cluster) throws StorageException, JobFailedException {
    Key id = options.selection.id();
    SearchTerms terms = options.selection.terms();
    KeyRange range = options.selection.range();
    ReadRequest request;
    if (id != null) {
      return ReadRequest.get(dataset, id.toBytes());
    } else if (range != null && options.field == null) {
      request = ReadRequest.scan(dataset, range);
    } else if (range != null) {
      index = index(cluster, IndexChoice.of(range));
      request = ReadRequest.search(dataset, index, range);
    } else {
      SearchTerms searched = Objects.requireNonNull(terms);
      index = index(cluster, IndexChoice.of(searched));
      request = ReadRequest.search(dataset, index, searched);
    }
    KeyRange wanted = filter.range();
    request = wanted == null ? request : request.filtered(wanted);
    long most = options.most();
    return most == Long.MAX_VALUE ? request : request.first(most);
  }

  private String index(Cluster cluster, IndexChoice choice)
      throws StorageException, JobFailedException {
    return options.index(cluster.describe(dataset), choice);
  }
}
