package dev.varve.hyracks.feed;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.varve.common.bytes.Slice;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * The features of a GeoJSON collection (RFC 7946), each as it stands: {@code type}, {@code
 * geometry}, {@code properties} and what else it has. Memory is needed for one feature at a time.
 * Confined to one thread.
 */
final class FeatureParser implements RecordParser {
  /** Decimals stay what they are. */
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  private final InputStream input;
  private @Nullable JsonParser parser;
  private boolean ended;
  private long line;

  FeatureParser(InputStream input) {
    this.input = input;
  }

  @Override
  public boolean next(Slice record) throws IOException {
    JsonParser open = parser;
    if (open == null) {
      open = JSON.createParser(input);
      open.disable(JsonParser.Feature.AUTO_CLOSE_SOURCE);
      parser = open;
      findFeatures(open);
    }
    if (ended || open.nextToken() != JsonToken.START_OBJECT) {
      ended = true;
      return false;
    }
    line = open.currentTokenLocation().getLineNr();
    JsonNode feature = JSON.readTree(open);
    byte[] bytes = JSON.writeValueAsBytes(feature);
    record.set(bytes, 0, Math.min(bytes.length, MOST_BYTES));
    return true;
  }

  /** Moves to the beginning of the array of features. */
  private static void findFeatures(JsonParser open) throws IOException {
    if (open.nextToken() != JsonToken.START_OBJECT) {
      throw new IOException("a GeoJSON collection is an object, and this is none");
    }
    while (open.nextToken() == JsonToken.FIELD_NAME) {
      boolean features = open.currentName().equals("features");
      JsonToken value = open.nextToken();
      if (features && value == JsonToken.START_ARRAY) {
        return;
      }
      open.skipChildren();
    }
    throw new IOException("a GeoJSON collection has an array of 'features', and this has none");
  }

  @Override
  public long line() {
    return line;
  }
}
