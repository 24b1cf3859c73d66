package dev.varve.cli.command;

import dev.varve.common.error.RequestException;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.hyracks.operator.SearchTerms;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What {@code varve find} and {@code varve query} look for, and how much of it they print. */
final class SearchOptions {
  private static final long DEFAULT_LIMIT = 100;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  @ArgGroup(exclusive = true, multiplicity = "1")
  QuerySelection selection = new QuerySelection();

  @Option(
      names = "--by",
      paramLabel = "FIELD",
      description =
          "Ask the secondary index on this field: needed for a range of anything but the primary"
              + " key, and where several indexes could answer.")
  @Nullable String field;

  @ArgGroup(exclusive = true)
  SearchAnswer answer = new SearchAnswer();

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Print at most N records (default: 100; with --nearest all K).")
  private @Nullable Long limit;

  /** Refuses what cannot be. */
  void check() {
    if (limit != null && limit < 0) {
      throw wrong("--limit " + limit + " is negative");
    }
    if (answer.aggregate() != null && most() != Long.MAX_VALUE) {
      throw wrong(
          "--min, --max and --group are of all that matches: without --limit and --nearest");
    }
    if (answer.aggregate() != null && selection.id() != null) {
      throw wrong("--min, --max and --group need a range or a search, not --get");
    }
  }

  /** The exception for wrong arguments. */
  ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /** The one index of a dataset that answers. */
  String index(DatasetOptions dataset, IndexChoice choice) throws RequestException {
    List<IndexDefinition> found = choice.among(dataset, field);
    if (found.size() > 1) {
      throw wrong("several indexes could answer, so choose with --by: " + IndexChoice.names(found));
    }
    return found.get(0).name();
  }

  /** How many records are read at most. */
  long most() {
    SearchTerms terms = selection.terms();
    long all = terms == null ? Long.MAX_VALUE : terms.most();
    if (limit != null) {
      return Math.min(limit, all);
    }
    return answer.count || answer.aggregate() != null || all != Long.MAX_VALUE
        ? all
        : DEFAULT_LIMIT;
  }
}
