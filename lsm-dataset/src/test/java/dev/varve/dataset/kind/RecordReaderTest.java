package dev.varve.dataset.kind;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.FieldPath;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.RecordLimits;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Keys come out of a record as they were put in, and what is no record is refused with a reason.
 */
class RecordReaderTest {
  private static final RecordSchema SCHEMA =
      new RecordSchema(
          List.of(FieldPath.parse("id")),
          List.of(
              new RecordSchema.Secondary(
                  RecordSchema.Reading.KEY,
                  List.of(FieldPath.parse("user.name")),
                  () -> IndexedValue::primaryKey),
              new RecordSchema.Secondary(
                  RecordSchema.Reading.KEY,
                  List.of(FieldPath.parse("age"), FieldPath.parse("user.name")),
                  () -> IndexedValue::primaryKey)));

  private final RecordReader reader = new RecordReader(SCHEMA, RecordLimits.DEFAULTS);

  @Test
  void readsPrimaryAndSecondaryKeysWhereverTheyStand() throws StorageException {
    read("{\"user\":{\"x\":[1,{\"name\":2}],\"name\":\"Kim\"},\"age\":7.5,\"id\":42}");
    assertEquals(Key.of(42), Key.ofSlice(reader.primaryKey()));
    assertEquals(Key.of("Kim"), Key.ofSlice(reader.secondaryKey(0)));
    assertEquals(Key.of(7.5, "Kim"), Key.ofSlice(reader.secondaryKey(1)));
  }

  @Test
  void readsARecordInTheMiddleOfAnArray() throws StorageException {
    byte[] bytes = "xx{\"id\":\"a\"}yy".getBytes(StandardCharsets.UTF_8);
    reader.read(new Slice(bytes, 2, bytes.length - 4));
    assertArrayEquals(Key.of("a").toBytes(), reader.primaryKey().toByteArray());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"id\":1}",
        "{\"id\":1,\"user\":null}",
        "{\"id\":1,\"user\":{\"name\":null}}",
        "{\"id\":1,\"user\":{\"name\":{\"first\":\"Kim\"}}}",
        "{\"id\":1,\"user\":{\"name\":[\"Kim\"]}}",
        "{\"id\":1,\"user\":[{\"name\":\"Kim\"}]}",
        "{\"id\":1,\"name\":\"Kim\",\"user.name\":\"Kim\"}"
      })
  void aFieldThatIsNoScalarGivesNoSecondaryEntry(String json) throws StorageException {
    read(json);
    assertFalse(reader.hasValue(0));
    assertFalse(reader.hasValue(1));
  }

  @Test
  void whatOneRecordHadIsForgottenBeforeTheNext() throws StorageException {
    read("{\"id\":1,\"user\":{\"name\":\"Kim\"}}");
    assertTrue(reader.hasValue(0));
    read("{\"id\":2}");
    assertFalse(reader.hasValue(0));
    assertEquals(Key.of(2), Key.ofSlice(reader.primaryKey()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "   ",
        "[]",
        "1",
        "null",
        "{\"id\":1",
        "{\"id\":1}}",
        "{\"id\":1} {}",
        "{\"id\":1,}",
        "{\"id\":01}",
        "{\"id\":NaN}",
        "{id:1}",
        "{'id':1}",
        "{\"id\":1,\"x\":tru}",
        "{\"id\":1,\"x\":\"\\q\"}",
        "{\"id\":1,\"x\":\"\n\"}",
        "{\"id\":1 /* comment */}",
        "{\"x\":1}",
        "{\"id\":null}",
        "{\"id\":{}}",
        "{\"id\":[1]}",
        "{\"id\":9223372036854775809}",
        "{\"id\":1e999}",
        "{\"id\":\"\\ud800\"}",
        "{\"id\":1,\"id\":2}",
        "{\"id\":1,\"user\":{\"name\":1,\"name\":2}}",
        "{\"id\":1,\"x\":{\"y\":1,\"y\":1}}",
        "\uFEFF{\"id\":1}"
      })
  void whatIsNoRecordIsRefused(String json) {
    RequestException refused = assertThrows(RequestException.class, () -> read(json));
    assertEquals(RequestException.Reason.MALFORMED_RECORD, refused.reason());
    assertTrue(refused.getMessage().startsWith("record"), refused.getMessage());
  }

  @Test
  void theRefusalNamesThePosition() {
    RequestException refused =
        assertThrows(RequestException.class, () -> read("{\"id\":1,\"x\":tru}"));
    assertTrue(refused.getMessage().startsWith("record at byte 1"), refused.getMessage());
  }

  @Test
  void bytesThatAreNotUtf8AreRefused() {
    byte[] bytes = "{\"id\":1,\"x\":\"12345678?\"}".getBytes(StandardCharsets.UTF_8);
    for (int[] wrong : new int[][] {{0xC0, 0xAF}, {0xED, 0xA0}, {0xF5, 0x80}, {0x80, 0x80}}) {
      byte[] broken = bytes.clone();
      broken[20] = (byte) wrong[0];
      broken[21] = (byte) wrong[1];
      RequestException refused =
          assertThrows(RequestException.class, () -> reader.read(new Slice(broken)));
      assertTrue(refused.getMessage().contains("byte 20: not valid UTF-8"), refused.getMessage());
    }
    byte[] utf16 = "{\"id\":1}".getBytes(StandardCharsets.UTF_16LE);
    assertThrows(RequestException.class, () -> reader.read(new Slice(utf16)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"id\":42}",
        "{\"x\":[{\"id\":7}],\"id\":42,\"user\":{\"name\":\"Kim\"},\"age\":7.5}",
        "{\"id\":42,\"user\":{\"name\":\"Kim\"},\"age\":tru",
        "{\"id\":42 and what follows is not looked at"
      })
  void thePrimaryKeyAloneIsReadUpToItsEnd(String json) throws StorageException {
    read("{\"id\":1,\"user\":{\"name\":\"Kim\"}}");
    reader.readPrimaryKey(new Slice(json.getBytes(StandardCharsets.UTF_8)));
    assertEquals(Key.of(42), Key.ofSlice(reader.primaryKey()));
    assertFalse(reader.hasValue(0));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "[42]", "{\"x\":1}", "{\"x\":tru,\"id\":1}", "{\"id\":null}", "{\"id\":{}}"})
  void aMissingPrimaryKeyIsRefusedWhenItIsReadAlone(String json) {
    RequestException refused =
        assertThrows(
            RequestException.class,
            () -> reader.readPrimaryKey(new Slice(json.getBytes(StandardCharsets.UTF_8))));
    assertEquals(RequestException.Reason.MALFORMED_RECORD, refused.reason());
  }

  @Test
  void aSecondFieldIsFoundAmongManyToo() throws StorageException {
    StringBuilder json = new StringBuilder("{\"id\":1");
    for (int i = 0; i < 1000; i++) {
      json.append(",\"f").append(i).append("\":{\"a\":1,\"b\":2}");
    }
    read(json + "}");
    assertThrows(RequestException.class, () -> read(json + ",\"f999\":1}"));
    assertThrows(RequestException.class, () -> read(json + ",\"id\":1}"));
    read(json + "}");
  }

  @Test
  void boundsAreKept() throws StorageException {
    RecordReader small = new RecordReader(SCHEMA, new RecordLimits(100, 4, 10, 32));
    readWith(small, "{\"id\":1234567890,\"a\":{\"b\":{\"c\":{}}}}");
    assertThrows(LimitException.class, () -> readWith(small, "{\"id\":12345678901}"));
    assertThrows(LimitException.class, () -> readWith(small, "{\"id\":1,\"x\":0.00000000001}"));
    assertThrows(
        LimitException.class, () -> readWith(small, "{\"id\":1,\"a\":{\"b\":{\"c\":{\"d\":{}}}}}"));
    assertThrows(LimitException.class, () -> readWith(small, "{\"id\":1,\"a\":[[[[]]]]}"));
    assertThrows(
        LimitException.class, () -> readWith(small, "{\"id\":\"" + "k".repeat(30) + "\"}"));
    assertThrows(
        LimitException.class,
        () -> readWith(small, "{\"id\":1,\"user\":{\"name\":\"" + "k".repeat(25) + "\"}}"));
    assertThrows(
        LimitException.class, () -> readWith(small, "{\"id\":1,\"x\":\"" + "k".repeat(99) + "\"}"));
    readWith(small, "{\"id\":1}");
  }

  @Test
  void damagedRecordsNeverThrowAnythingElse() {
    long seed = 20261121;
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    byte[] whole =
        "{\"id\":12,\"user\":{\"name\":\"K\u00e4m\\u00e9\",\"x\":[1.5e3,null]},\"age\":true}"
            .getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = whole.clone();
      for (int flips = random.nextInt(3); flips >= 0; flips--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      int length = random.nextInt(10) == 0 ? random.nextInt(bytes.length) : bytes.length;
      try {
        reader.read(new Slice(bytes, 0, length));
      } catch (RequestException | LimitException refused) {
        assertFalse(refused.getMessage().isEmpty());
      } catch (StorageException e) {
        throw new AssertionError("seed " + seed + ", round " + i, e);
      }
    }
  }

  private void read(String json) throws StorageException {
    readWith(reader, json);
  }

  private static void readWith(RecordReader reader, String json) throws StorageException {
    reader.read(new Slice(json.getBytes(StandardCharsets.UTF_8)));
  }
}
