package dev.varve.report.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

/** Goal: sizes mean what the help says, and nonsense is refused with what would be right. */
final class ByteSizeTest {
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
}
