package dev.varve.hyracks.feed;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import dev.varve.common.bytes.Slice;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * The elements of JSON arrays, and values that stand outside of any, one after the other: memory is
 * needed for one at a time. Confined to one thread.
 */
final class ArrayParser implements RecordParser {
  /** Decimals stay what they are, down to the zeros at their end. */
  private static final ObjectMapper JSON =
      new ObjectMapper()
          .configure(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES, false)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  private final InputStream input;
  private @Nullable JsonParser parser;
  private boolean inArray;
  private boolean ended;
  private long line;

  ArrayParser(InputStream input) {
    this.input = input;
  }

  @Override
  public boolean next(Slice record) throws IOException {
    JsonParser open = parser;
    if (open == null) {
      open = JSON.createParser(input);
      open.disable(JsonParser.Feature.AUTO_CLOSE_SOURCE);
      parser = open;
    }
    JsonToken token = ended ? null : open.nextToken();
    while (token == JsonToken.END_ARRAY || (token == JsonToken.START_ARRAY && !inArray)) {
      inArray = token == JsonToken.START_ARRAY;
      token = open.nextToken();
    }
    if (token == null) {
      ended = true;
      return false;
    }
    line = open.currentTokenLocation().getLineNr();
    byte[] bytes = JSON.writeValueAsBytes(JSON.readTree(open));
    record.set(bytes, 0, Math.min(bytes.length, MOST_BYTES));
    return true;
  }

  @Override
  public long line() {
    return line;
  }
}
