package dev.varve.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.varve.cli.command.SearchArguments.AllWordsConverter;
import dev.varve.cli.command.SearchArguments.AnyWordConverter;
import dev.varve.cli.command.SearchArguments.ContainsConverter;
import dev.varve.cli.command.SearchArguments.NearConverter;
import dev.varve.cli.command.SearchArguments.NearestConverter;
import dev.varve.cli.command.SearchArguments.PhraseConverter;
import dev.varve.cli.command.SearchArguments.SimilarConverter;
import dev.varve.cli.command.SearchArguments.WindowConverter;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.TextSearch;
import dev.varve.hyracks.operator.SearchTerms;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

/** Goal: arguments mean what the help says, and nonsense is refused with what would be right. */
final class ArgumentTest {
  @Test
  void rangeHasTwoBounds() {
    RangeArgument range = RangeArgument.parse("10:20");
    assertEquals(Key.of(10L), range.low());
    assertEquals(Key.of(20L), range.high());
  }

  @Test
  void eitherBoundMayBeLeftOut() {
    assertNull(RangeArgument.parse(":20").low());
    assertNull(RangeArgument.parse("20:").high());
    RangeArgument all = RangeArgument.parse(":");
    assertNull(all.low());
    assertNull(all.high());
  }

  @Test
  void boundsHaveTypes() {
    assertEquals(Key.of(-1.5), RangeArgument.parse("-1.5:true").low());
    assertEquals(Key.of(true), RangeArgument.parse("-1.5:true").high());
    assertEquals(Key.of("en"), RangeArgument.parse("en:\"10\"").low());
    assertEquals(Key.of("10"), RangeArgument.parse("en:\"10\"").high());
  }

  @Test
  void colonInQuotesDoesNotDivide() {
    RangeArgument range = RangeArgument.parse("\"a:b\":c");
    assertEquals(Key.of("a:b"), range.low());
    assertEquals(Key.of("c"), range.high());
  }

  @Test
  void textWithoutColonIsNoRange() {
    assertThrows(TypeConversionException.class, () -> RangeArgument.parse("10"));
    assertThrows(TypeConversionException.class, () -> RangeArgument.parse("\"10:20\""));
  }

  @Test
  void numberBeyondSixtyFourBitsIsRefused() {
    assertThrows(TypeConversionException.class, () -> RangeArgument.parse("9999999999999999999:"));
  }

  @Test
  void placesAreNumbers() {
    assertEquals(
        new SearchTerms.Near(-73.9, 40.7, 0.5), new NearConverter().convert("-73.9,40.7,0.5"));
    assertEquals(
        new SearchTerms.Window(-1, -2, 3e1, 4), new WindowConverter().convert("-1,-2, 3e1, 4"));
    assertEquals(new SearchTerms.Nearest(0, -0.5, 10), new NearestConverter().convert("0,-0.5,10"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1,2", "1,2,3,4", "1,2,x", "1,,3", "1,2,-1", "1,2,NaN", "1e999,2,3"})
  void otherCirclesAreRefused(String text) {
    assertThrows(TypeConversionException.class, () -> new NearConverter().convert(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1,2,3", "3,2,1,4", "1,4,3,2", "1,2,3,Infinity", "a,b,c,d"})
  void otherWindowsAreRefused(String text) {
    assertThrows(TypeConversionException.class, () -> new WindowConverter().convert(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1,2,0", "1,2,1.5", "1,2,-3", "1,2,1000001", "1,2"})
  void otherNumbersOfNeighboursAreRefused(String text) {
    assertThrows(TypeConversionException.class, () -> new NearestConverter().convert(text));
  }

  @Test
  void similarityComesBehindTheLastComma() {
    assertEquals(
        new SearchTerms.Text(TextSearch.Match.SIMILAR, "a, b", 0.25),
        new SimilarConverter().convert("a, b,0.25"));
    for (String wrong : List.of("a", "a,", ",0.5", "a,0", "a,1.1", "a,NaN", "a,-1", "a,b")) {
      assertThrows(TypeConversionException.class, () -> new SimilarConverter().convert(wrong));
    }
  }

  @Test
  void textsWithoutAWordAreRefused() {
    assertThrows(TypeConversionException.class, () -> new AllWordsConverter().convert(" .,! "));
    assertThrows(TypeConversionException.class, () -> new PhraseConverter().convert(""));
    assertThrows(TypeConversionException.class, () -> new ContainsConverter().convert(""));
    assertEquals(
        new SearchTerms.Text(TextSearch.Match.ANY_WORD, "a b"),
        new AnyWordConverter().convert("a b"));
  }
}
