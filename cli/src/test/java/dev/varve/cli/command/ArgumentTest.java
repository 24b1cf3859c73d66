package dev.varve.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.varve.dataset.record.Key;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

/** Goal: arguments mean what the help says, and nonsense is refused with what would be right. */
final class ArgumentTest {
  @ParameterizedTest
  @CsvSource({
    "0,0",
    "4096,4096",
    "512k,524288",
    "64M,67108864",
    "2g,2147483648",
    "1t,1099511627776"
  })
  void byteSizesHaveUnits(String text, long bytes) {
    assertEquals(bytes, ByteSize.parse(text).bytes());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "k", "-1", "1.5m", "12x", "9999999999g", "9223372036854775807k"})
  void otherByteSizesAreRefused(String text) {
    assertThrows(TypeConversionException.class, () -> ByteSize.parse(text));
  }

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
}
