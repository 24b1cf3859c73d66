package dev.varve.dataset.kind;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.FieldPath;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Wanted fields come at their places, with their bytes, and nothing else does. */
final class FieldSelectionTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{'a':1,'b':2}               | a       | {'a':1}",
        "{'a':1,'b':2}               | b a     | {'a':1,'b':2}",
        "{'a':1,'b':2}               | c       | {}",
        "{}                          | a       | {}",
        "{'a' : 1e3 , 'b':2}         | a       | {'a' : 1e3}",
        "{'a':{'b':1,'c':[{'d':2}]}} | a.c     | {'a':{'c':[{'d':2}]}}",
        "{'a':{'b':1,'c':2},'d':3}   | a.x d   | {'d':3}",
        "{'a':{'b':{'c':1,'x':2}}}   | a.b.c   | {'a':{'b':{'c':1}}}",
        "{'a':{'b':1,'c':2}}         | a a.b   | {'a':{'b':1,'c':2}}",
        "{'a':{'b':1,'c':2}}         | a.b a   | {'a':{'b':1,'c':2}}",
        "{'a':{'b':1,'c':2}}         | a.b a.c | {'a':{'b':1,'c':2}}",
        "{'a':[{'b':1}],'b':null}    | a.b b   | {'b':null}",
        "{'a':'x','b':{'a':1}}       | a.b     | {}",
        "{'a':'}\\'é,{','b':true}  | a b     | {'a':'}\\'é,{','b':true}",
      })
  void whatIsWantedIsLeft(String record, String paths, String expected) throws StorageException {
    List<FieldPath> wanted = List.of(paths.split(" ")).stream().map(FieldPath::parse).toList();
    byte[] bytes = ("xx" + json(record) + "x").getBytes(StandardCharsets.UTF_8);
    byte[] left = new FieldSelection(wanted).of(new Slice().set(bytes, 2, bytes.length - 3));
    assertEquals(json(expected), new String(left, StandardCharsets.UTF_8));
  }

  private static String json(String text) {
    return text.replace('\'', '"');
  }
}
