package dev.varve.cli.command;

import dev.varve.dataset.model.TextSearch;
import dev.varve.hyracks.operator.SearchTerms;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads what a query asks of places and texts. No state. */
final class SearchArguments {
  private SearchArguments() {}

  /** {@code LON,LAT,RADIUS}. */
  static final class NearConverter implements ITypeConverter<SearchTerms.Near> {
    @Override
    public SearchTerms.Near convert(String text) {
      List<Double> numbers = numbers(text, "LON,LAT,RADIUS");
      if (numbers.get(2) < 0) {
        throw wrong(text, "has a negative radius; write LON,LAT,RADIUS");
      }
      return new SearchTerms.Near(numbers.get(0), numbers.get(1), numbers.get(2));
    }
  }

  /** {@code MINX,MINY,MAXX,MAXY}. */
  static final class WindowConverter implements ITypeConverter<SearchTerms.Window> {
    @Override
    public SearchTerms.Window convert(String text) {
      List<Double> numbers = numbers(text, "MINX,MINY,MAXX,MAXY");
      if (numbers.get(0) > numbers.get(2) || numbers.get(1) > numbers.get(3)) {
        throw wrong(text, "has a lowest corner above its highest one; write MINX,MINY,MAXX,MAXY");
      }
      return new SearchTerms.Window(numbers.get(0), numbers.get(1), numbers.get(2), numbers.get(3));
    }
  }

  /** {@code LON,LAT,K}. */
  static final class NearestConverter implements ITypeConverter<SearchTerms.Nearest> {
    /** All of them are kept in memory and sorted. */
    private static final int MOST = 1_000_000;

    @Override
    public SearchTerms.Nearest convert(String text) {
      List<Double> numbers = numbers(text, "LON,LAT,K");
      double records = numbers.get(2);
      if (records < 1 || records > MOST || records != Math.rint(records)) {
        throw wrong(text, "has a K that is no whole number from 1 to " + MOST);
      }
      return new SearchTerms.Nearest(numbers.get(0), numbers.get(1), (int) records);
    }
  }

  /** A text with a letter or digit in it; without one there is nothing to look for. */
  private static SearchTerms words(TextSearch.Match match, String text) {
    if (text.codePoints().noneMatch(Character::isLetterOrDigit)) {
      throw wrong(text, "has no word");
    }
    return new SearchTerms.Text(match, text);
  }

  /** Words that all have to be there. */
  static final class AllWordsConverter implements ITypeConverter<SearchTerms> {
    @Override
    public SearchTerms convert(String text) {
      return words(TextSearch.Match.ALL_WORDS, text);
    }
  }

  /** Words of which one has to be there. */
  static final class AnyWordConverter implements ITypeConverter<SearchTerms> {
    @Override
    public SearchTerms convert(String text) {
      return words(TextSearch.Match.ANY_WORD, text);
    }
  }

  /** Words that have to follow each other. */
  static final class PhraseConverter implements ITypeConverter<SearchTerms> {
    @Override
    public SearchTerms convert(String text) {
      return words(TextSearch.Match.PHRASE, text);
    }
  }

  /** A part of a text; how long it must be at least is the index's to say. */
  static final class ContainsConverter implements ITypeConverter<SearchTerms> {
    @Override
    public SearchTerms convert(String text) {
      if (text.isEmpty()) {
        throw wrong(text, "is empty; write at least as many characters as an n-gram has");
      }
      return new SearchTerms.Text(TextSearch.Match.SUBSTRING, text);
    }
  }

  /** {@code TEXT,JACCARD}; the text may have commas. */
  static final class SimilarConverter implements ITypeConverter<SearchTerms> {
    @Override
    public SearchTerms convert(String text) {
      int comma = text.lastIndexOf(',');
      if (comma < 1) {
        throw wrong(text, "is no TEXT,JACCARD; write for example \"Ada Lovelace,0.5\"");
      }
      double jaccard = number(text, text.substring(comma + 1), "TEXT,JACCARD");
      if (!(jaccard > 0 && jaccard <= 1)) {
        throw wrong(text, "has a similarity that is not above 0 and at most 1");
      }
      return new SearchTerms.Text(TextSearch.Match.SIMILAR, text.substring(0, comma), jaccard);
    }
  }

  private static List<Double> numbers(String text, String form) {
    String[] parts = text.split(",", -1);
    if (parts.length != form.split(",").length) {
      throw wrong(text, "is no " + form);
    }
    List<Double> numbers = new ArrayList<>();
    for (String part : parts) {
      numbers.add(number(text, part, form));
    }
    return numbers;
  }

  private static double number(String text, String part, String form) {
    try {
      double number = Double.parseDouble(part.strip());
      if (Double.isFinite(number)) {
        return number;
      }
    } catch (NumberFormatException notANumber) {
      // Told below, with what would be right.
      assert notANumber != null;
    }
    throw wrong(text, "is no " + form + ": '" + part + "' is no number");
  }

  private static TypeConversionException wrong(String text, String problem) {
    return new TypeConversionException("'" + text + "' " + problem);
  }
}
