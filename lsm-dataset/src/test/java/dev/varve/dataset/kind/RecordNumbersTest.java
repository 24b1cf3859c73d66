package dev.varve.dataset.kind;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.model.FieldPath;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.RecordLimits;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * The numbers of records as keys. Method: numbers in many spellings, many of them close to each
 * other, are ids of records and values of {@link Key}s; ids that differ as decimals are never the
 * same key, those that do not are, and what cannot be is refused.
 */
class RecordNumbersTest {
  private static final RecordSchema SCHEMA =
      new RecordSchema(
          List.of(FieldPath.parse("id")),
          List.of(
              new RecordSchema.Secondary(
                  RecordSchema.Reading.KEY,
                  List.of(FieldPath.parse("v")),
                  () -> IndexedValue::primaryKey)));

  private final RecordReader reader = new RecordReader(SCHEMA, RecordLimits.DEFAULTS);
  private final RecordReader stored = RecordReader.ofStored(SCHEMA);

  @Test
  void idsThatDifferAsDecimalsAreNeverTheSameKey() throws StorageException {
    RandomGenerator random = Seeds.random(Seeds.one(20261125));
    Map<Key, BigDecimal> numbers = new HashMap<>();
    int refused = 0;
    for (int round = 0; round < 50_000; round++) {
      String text = spelling(random);
      BigDecimal number = new BigDecimal(text);
      Key key = id(text);
      if (key == null) {
        refused++;
      } else {
        BigDecimal other = numbers.putIfAbsent(key, number);
        assertTrue(other == null || other.compareTo(number) == 0, () -> text + " and " + other);
        assertEquals(Key.of(number), key, text);
        stored.read(record(text, "0"));
        assertEquals(key, Key.ofSlice(stored.primaryKey()), "once it is stored");
      }
    }
    assertTrue(refused > 1_000 && numbers.size() > 10_000, refused + " " + numbers.size());
  }

  @Test
  void anIdIsTheSameKeyInEachSpelling() throws StorageException {
    for (String one :
        List.of("1", "1.0", "1e0", "1.00", "10e-1", "0.1E1", "1.000000000000000000")) {
      assertEquals(Key.of(1), id(one), one);
    }
    assertEquals(Key.of(0.1), id("1e-1"));
    assertEquals(Key.of(0), id("-0.0"));
    assertEquals(id("1e19"), id("10000000000000000000"));
    assertEquals(Key.of(1L << 53), id("9007199254740992.0"));
    assertEquals(Key.of((1L << 53) + 1), id("9007199254740993"));
  }

  @Test
  void anIdThatNoKeyHoldsExactlyIsRefusedWithFieldValueAndWayOut() {
    for (String bad :
        List.of(
            "9007199254740993.0",
            "9.007199254740993e15",
            "0.10000000000000001",
            "1e-400",
            "1e400",
            "9223372036854775809")) {
      RequestException refused =
          assertThrows(RequestException.class, () -> reader.read(record(bad, "1")));
      assertEquals(RequestException.Reason.MALFORMED_RECORD, refused.reason());
      String said = refused.getMessage();
      assertTrue(said.contains("'id' is " + bad) && said.contains("as text"), said);
      assertThrows(RequestException.class, () -> reader.readPrimaryKey(record(bad, "1")));
    }
  }

  @Test
  void aStoredIdStaysTheKeyThatItWasWhenNumbersWereStillRounded() throws StorageException {
    stored.read(record("9007199254740993.0", "1"));
    assertEquals(Key.of(1L << 53), Key.ofSlice(stored.primaryKey()));
    stored.read(record("0.10000000000000001", "1"));
    assertEquals(Key.of(0.1), Key.ofSlice(stored.primaryKey()));
  }

  @Test
  void aSecondaryValueThatIsNoWholeNumberOf64BitsCountsAsTheNearestDouble()
      throws StorageException {
    Map<String, Key> values =
        Map.of(
            "9007199254740993", Key.of((1L << 53) + 1),
            "9007199254740993.0", Key.of(1L << 53),
            "0.10000000000000001", Key.of(0.1),
            "9223372036854775809", Key.of(0x1p63),
            "1e400", Key.of(Double.POSITIVE_INFINITY));
    for (Map.Entry<String, Key> value : values.entrySet()) {
      for (RecordReader either : List.of(reader, stored)) {
        either.read(record("1", value.getKey()));
        assertEquals(value.getValue(), Key.ofSlice(either.secondaryKey(0)), value.getKey());
      }
    }
  }

  private Key id(String text) throws StorageException {
    try {
      reader.read(record(text, "0"));
      return Key.ofSlice(reader.primaryKey());
    } catch (RequestException refused) {
      return null;
    }
  }

  private static Slice record(String id, String value) {
    return new Slice(("{\"id\":" + id + ",\"v\":" + value + "}").getBytes(StandardCharsets.UTF_8));
  }

  private static String spelling(RandomGenerator random) {
    BigDecimal number =
        switch (random.nextInt(5)) {
          case 0 -> BigDecimal.valueOf((1L << 53) + random.nextInt(40) - 20);
          case 1 -> BigDecimal.valueOf(random.nextLong() >> random.nextInt(20));
          case 2 -> BigDecimal.valueOf(random.nextInt(200_000) - 100_000, random.nextInt(6));
          case 3 -> new BigDecimal(Double.toString(random.nextDouble()));
          default -> BigDecimal.valueOf(random.nextLong(), random.nextInt(60) - 30);
        };
    if (random.nextInt(3) == 0) {
      number = number.add(number.ulp());
    }
    return switch (random.nextInt(5)) {
      case 0 -> number.toPlainString();
      case 1 -> number.setScale(Math.max(0, number.scale()) + 2).toPlainString();
      case 2 -> number.unscaledValue() + "e" + -number.scale();
      case 3 -> number.unscaledValue() + ".0E" + -number.scale();
      default -> number.toString().replace("E+", "e");
    };
  }
}
