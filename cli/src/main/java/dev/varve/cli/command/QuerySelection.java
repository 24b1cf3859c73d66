package dev.varve.cli.command;

import dev.varve.btree.KeyRange;
import dev.varve.dataset.model.Key;
import dev.varve.hyracks.operator.SearchTerms;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What {@code varve query} looks for: exactly one of these. Filled by picocli. */
final class QuerySelection {
  @Option(names = "--get", paramLabel = "ID", description = "The record with a primary key.")
  private @Nullable String id;

  @Option(
      names = "--range",
      paramLabel = "LOW:HIGH",
      converter = RangeArgument.Converter.class,
      description = "Records from LOW to HIGH, both included; either may be left out.")
  private @Nullable RangeArgument range;

  @Option(
      names = "--near",
      paramLabel = "LON,LAT,RADIUS",
      converter = SearchArguments.NearConverter.class,
      description = "R-tree: records at most RADIUS from a point, in the unit of the coordinates.")
  private SearchTerms.@Nullable Near near;

  @Option(
      names = "--window",
      paramLabel = "MINX,MINY,MAXX,MAXY",
      converter = SearchArguments.WindowConverter.class,
      description = "R-tree: records in a rectangle, borders included.")
  private SearchTerms.@Nullable Window window;

  @Option(
      names = "--nearest",
      paramLabel = "LON,LAT,K",
      converter = SearchArguments.NearestConverter.class,
      description = "R-tree: the K records that are nearest to a point, nearest first.")
  private SearchTerms.@Nullable Nearest nearest;

  @Option(
      names = "--words",
      paramLabel = "TEXT",
      converter = SearchArguments.AllWordsConverter.class,
      description = "Keyword index: records with all of these words.")
  private @Nullable SearchTerms allWords;

  @Option(
      names = "--any-words",
      paramLabel = "TEXT",
      converter = SearchArguments.AnyWordConverter.class,
      description = "Keyword index: records with one of these words.")
  private @Nullable SearchTerms anyWords;

  @Option(
      names = "--phrase",
      paramLabel = "TEXT",
      converter = SearchArguments.PhraseConverter.class,
      description = "Keyword index: records with these words one behind the other.")
  private @Nullable SearchTerms phrase;

  @Option(
      names = "--contains",
      paramLabel = "TEXT",
      converter = SearchArguments.ContainsConverter.class,
      description = "N-gram index: records with this text, at least one n-gram long, inside.")
  private @Nullable SearchTerms part;

  @Option(
      names = "--similar",
      paramLabel = "TEXT,JACCARD",
      converter = SearchArguments.SimilarConverter.class,
      description = "N-gram index: records whose n-grams agree at least so much (0 to 1).")
  private @Nullable SearchTerms similar;

  /** The primary key; null when something else is looked for. */
  @Nullable Key id() {
    return id == null ? null : KeyArgument.parse(id);
  }

  /** The range as it was written; null when something else is looked for. */
  @Nullable RangeArgument argument() {
    return range;
  }

  /** The range of keys; null when something else is looked for. */
  @Nullable KeyRange range() {
    return range == null ? null : range.toKeyRange();
  }

  /** What is asked of an R-tree or an inverted index; null when something else is looked for. */
  @Nullable SearchTerms terms() {
    for (SearchTerms terms :
        new @Nullable SearchTerms[] {
          near, window, nearest, allWords, anyWords, phrase, part, similar
        }) {
      if (terms != null) {
        return terms;
      }
    }
    return null;
  }
}
