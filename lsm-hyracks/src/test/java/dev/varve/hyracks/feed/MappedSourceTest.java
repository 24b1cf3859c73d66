package dev.varve.hyracks.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: the fields of a record are as the rules say, those that no rule names stay, and made ids
 * are the same whenever a file is read; what is no record stays what it is. Method: small files.
 */
final class MappedSourceTest {
  @TempDir private Path directory;

  private static List<String> read(RecordSource source) throws Exception {
    List<String> records = new ArrayList<>();
    Slice record = new Slice();
    try (RecordStream stream = source.open(0, 1, ResumePoints.NONE)) {
      while (stream.next(record)) {
        assertNull(stream.problem());
        records.add(new String(record.toByteArray(), StandardCharsets.UTF_8));
      }
    }
    return records;
  }

  private RecordSource mapped(String name, String format, String content, String... rules)
      throws Exception {
    Path file = directory.resolve(name);
    Files.writeString(file, content);
    return new MappedSource(new InputSource(List.of(file.toString()), format), List.of(rules));
  }

  @Test
  void rowsGetPointsAndIdsThatAreTheSameInEveryRun() throws Exception {
    RecordSource source =
        mapped(
            "a.csv",
            "csv",
            "lon,lat,name\n1.50,2,x\n3,,y\n",
            "id=#",
            "place=lon+lat",
            "title=name");
    String input = directory.resolve("a.csv").toString();
    List<String> records = read(source);
    assertEquals(
        List.of(
            "{\"id\":\"" + input + "#1\",\"place\":[1.50,2],\"title\":\"x\"}",
            "{\"id\":\"" + input + "#2\",\"title\":\"y\"}"),
        records);
    assertEquals(records, read(source));
  }

  @Test
  void fieldsInsideOfFieldsAreMovedAndLeftOut() throws Exception {
    assertEquals(
        List.of("{\"a\":{\"c\":3,\"d\":{\"e\":1}},\"f\":[1]}", "no record", "[2]"),
        read(
            mapped(
                "b.ndjson",
                "ndjson",
                "{\"a\":{\"b\":1,\"c\":3},\"f\":[1],\"g\":7}\nno record\n[2]\n",
                "a.d.e=a.b",
                "g=",
                "missing=none",
                "f.x.y=neither")));
  }

  @Test
  void anInputThatCannotBeReadAgainGetsRandomIds() throws Exception {
    RecordSource posted =
        new MappedSource(
            new BytesSource("body", "ndjson", "{}\n{}".getBytes(StandardCharsets.UTF_8)),
            List.of("id=#"));
    List<String> records = read(posted);
    assertEquals(2, records.size());
    assertTrue(records.get(0).startsWith("{\"id\":\""), records.get(0));
    assertNotEquals(records.get(0), records.get(1));
    assertNotEquals(records, read(posted));
  }

  @Test
  void whatIsNoRuleIsRefused() {
    BytesSource source = new BytesSource("body", "ndjson", new byte[0]);
    for (String wrong : List.of("id", "=a", "a=b+", "a..b=c", "")) {
      IllegalArgumentException refused =
          assertThrows(
              IllegalArgumentException.class, () -> new MappedSource(source, List.of(wrong)));
      assertTrue(String.valueOf(refused.getMessage()).length() > 10, wrong);
    }
  }
}
