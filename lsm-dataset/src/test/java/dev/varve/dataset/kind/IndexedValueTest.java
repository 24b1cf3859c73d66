package dev.varve.dataset.kind;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.kind.RecordSchema.Reading;
import dev.varve.dataset.model.FieldPath;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.RecordLimits;
import dev.varve.rtree.geometry.Rectangle;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Points, rectangles and texts come out of records as they were put in, and nothing else does. */
class IndexedValueTest {
  private static final RecordSchema SCHEMA =
      new RecordSchema(
          List.of(FieldPath.parse("id")),
          List.of(
              secondary(Reading.SPATIAL, "place"),
              secondary(Reading.TEXT, "text"),
              secondary(Reading.KEY, "text"),
              secondary(Reading.SPATIAL, "place.coordinates"),
              secondary(Reading.KEY, "place.x"),
              secondary(Reading.SPATIAL, "deep.er.place"),
              secondary(Reading.TEXT, "long")));

  private static final int PLACE = 0;
  private static final int TEXT = 1;
  private static final int COORDINATES = 3;
  private static final int PLACE_X = 4;
  private static final int DEEP = 5;
  private static final int LONG = 6;

  private final RecordReader reader = new RecordReader(SCHEMA, RecordLimits.DEFAULTS);

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "[1,2]; 1; 2; 1; 2",
        "[-0.0, 1e3]; 0; 1000; 0; 1000",
        "[-5,-6,7,8.5]; -5; -6; 7; 8.5",
        "[3,4,3,4]; 3; 4; 3; 4",
        "{\"x\":1,\"y\":2}; 1; 2; 1; 2",
        "{\"y\":2,\"z\":[{\"x\":9}],\"name\":\"x\",\"x\":1}; 1; 2; 1; 2",
        "{\"type\":\"Point\",\"coordinates\":[1,2]}; 1; 2; 1; 2",
        "{\"coordinates\":[1,2,300],\"type\":\"Point\"}; 1; 2; 1; 2"
      })
  void pointsAndRectanglesAreRead(String value, double minX, double minY, double maxX, double maxY)
      throws StorageException {
    for (String json :
        List.of(
            "{\"id\":1,\"place\":" + value + "}",
            "{\"deep\":{\"er\":{\"place\":[7,7]}},\"place\":" + value + ",\"id\":1}")) {
      read(json);
      assertTrue(reader.hasValue(PLACE), json);
      assertEquals(new Rectangle(minX, minY, maxX, maxY), reader.rectangle(PLACE));
    }
    assertEquals(new Rectangle(7, 7, 7, 7), reader.rectangle(DEEP));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "1",
        "\"1,2\"",
        "[]",
        "[1]",
        "[1,2,3]",
        "[1,2,3,4,5]",
        "[1,\"2\"]",
        "[1,null]",
        "[1,2,[]]",
        "[[1,2]]",
        "[[1,2],[3,4]]",
        "[1,{\"x\":1,\"y\":2}]",
        "[3,0,2,1]",
        "[0,3,1,2]",
        "[1e999,0]",
        "[0,0,0,1e999]",
        "{}",
        "{\"x\":1}",
        "{\"x\":1,\"y\":\"2\"}",
        "{\"x\":1,\"y\":[2]}",
        "{\"x\":{\"y\":1},\"y\":2}",
        "{\"type\":\"Point\",\"coordinates\":[1]}",
        "{\"type\":\"Point\",\"coordinates\":[1,2,3,4]}",
        "{\"type\":\"Point\",\"coordinates\":[[1,2]]}",
        "{\"type\":\"Point\",\"other\":[1,2]}",
        "{\"type\":\"LineString\",\"coordinates\":[1,2]}",
        "{\"coordinates\":[1,2]}"
      })
  void whatIsNeitherGivesNoEntry(String value) throws StorageException {
    read("{\"id\":0,\"place\":[1,2]}");
    assertTrue(reader.hasValue(PLACE));
    read("{\"id\":1,\"place\":" + value + "}");
    assertFalse(reader.hasValue(PLACE));
  }

  @Test
  void valuesInsideOfAPointAreIndexedToo() throws StorageException {
    read("{\"id\":1,\"place\":{\"type\":\"Point\",\"coordinates\":[1,2],\"x\":5}}");
    assertEquals(new Rectangle(1, 2, 1, 2), reader.rectangle(PLACE));
    assertEquals(new Rectangle(1, 2, 1, 2), reader.rectangle(COORDINATES));
    assertEquals(Key.of(5), Key.ofSlice(reader.secondaryKey(PLACE_X)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "plain", "\u00e4\u20ac\ud83d\ude00 x", "a\\nb\\u0041\\ud83d\\ude00"})
  void textsAreRead(String text) throws StorageException {
    read("{\"id\":1,\"text\":\"" + text + "\"}");
    assertTrue(reader.hasValue(TEXT));
    String wanted =
        text.replace("\\n", "\n").replace("\\u0041", "A").replace("\\ud83d\\ude00", "\ud83d\ude00");
    assertEquals(wanted, new String(reader.text(TEXT).toByteArray(), StandardCharsets.UTF_8));
    assertEquals(Key.of(wanted), Key.ofSlice(reader.secondaryKey(TEXT + 1)));
    read("{\"id\":1}");
    assertFalse(reader.hasValue(TEXT));
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "1", "true", "[\"a\"]", "{\"a\":\"b\"}"})
  void whatIsNoTextGivesNoEntry(String value) throws StorageException {
    read("{\"id\":1,\"text\":" + value + "}");
    assertFalse(reader.hasValue(TEXT));
  }

  @Test
  void onlyTextsInKeysAreShort() throws StorageException {
    String text = "long ".repeat(10_000);
    read("{\"id\":1,\"long\":\"" + text + "\"}");
    assertEquals(text.length(), reader.text(LONG).length());
    assertThrows(StorageException.class, () -> read("{\"id\":1,\"text\":\"" + text + "\"}"));
  }

  @Test
  void halfACharacterIsRefused() {
    assertThrows(RequestException.class, () -> read("{\"id\":1,\"long\":\"a\\ud800b\"}"));
  }

  private void read(String json) throws StorageException {
    reader.read(new Slice(json.getBytes(StandardCharsets.UTF_8)));
  }

  private static RecordSchema.Secondary secondary(Reading reading, String path) {
    return new RecordSchema.Secondary(
        reading, List.of(FieldPath.parse(path)), () -> IndexedValue::primaryKey);
  }
}
