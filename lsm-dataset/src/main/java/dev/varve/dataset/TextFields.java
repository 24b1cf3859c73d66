package dev.varve.dataset;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.varve.common.error.CorruptionException;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** JSON objects whose fields are texts, as small documents have them. Stateless. */
final class TextFields {
  private static final JsonFactory JSON = new JsonFactory();

  private TextFields() {}

  /** An object in one line, with the fields in their order. */
  static String json(Map<String, String> fields) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      for (Map.Entry<String, String> field : fields.entrySet()) {
        json.writeStringField(field.getKey(), field.getValue());
      }
      json.writeEndObject();
    } catch (IOException impossible) {
      // Nothing is written but into memory.
      throw new IllegalStateException(impossible);
    }
    return text.toString();
  }

  /**
   * The fields of an object, in their order.
   *
   * @param path of the document, for messages
   */
  static Map<String, String> read(String text, Path path) throws CorruptionException {
    Map<String, String> fields = new LinkedHashMap<>();
    try (JsonParser parser = JSON.createParser(text)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw corrupt(path, "no object");
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        if (parser.nextToken() != JsonToken.VALUE_STRING) {
          throw corrupt(path, "field " + name + " is no text");
        }
        fields.put(name, parser.getText());
      }
      return fields;
    } catch (IOException malformed) {
      throw corrupt(path, "no JSON");
    }
  }

  private static CorruptionException corrupt(Path path, String what) {
    return new CorruptionException(path.toString(), -1, what);
  }
}
