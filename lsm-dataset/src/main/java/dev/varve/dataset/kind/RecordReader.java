package dev.varve.dataset.kind;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.varve.common.bytes.KeyEncoder;
import dev.varve.common.bytes.KeyNumber;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.RecordLimits;
import dev.varve.rtree.geometry.Rectangle;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Checks a JSON record and reads its keys, in one pass over its bytes. A record is one object in
 * strict UTF-8, without a field that comes twice in the same object. Each field of the primary key
 * is a number, text or truth value; a number in it is one that a key {@linkplain KeyNumber stands
 * for}, so that two records never become one. A secondary key of which a field is missing, null, an
 * object or an array is absent, and the record has no entry in that index. The same holds for a
 * point or rectangle that is none, and for a text that is none. In secondary keys whole numbers
 * without fraction and exponent, within 64 bits, count as what they are, and every other number as
 * the nearest double. Confined to one thread, and reused.
 */
public final class RecordReader {
  static final JsonFactory JSON =
      JsonFactory.builder()
          // Bounds are checked here, with their own messages; the bytes of a record bound all.
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .build())
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          // Else a record in UTF-16 would be taken for one, and its bytes for UTF-8 later.
          .disable(JsonFactory.Feature.CHARSET_DETECTION)
          .build();

  /** What was found at an indexed path. */
  private enum Found {
    NOTHING,
    SCALAR,
    NULL,
    CONTAINER
  }

  /** How far a record is read. */
  private enum Extent {
    RECORD,
    PRIMARY_KEY
  }

  private final PathTree paths;
  private final RecordLimits limits;

  /** For each slot whether a number in it must be one that a key stands for. */
  private final boolean[] exact;

  private final FieldNames names = new FieldNames();
  private final Found[] found;
  private final KeyEncoder[] values;
  private final KeyEncoder primaryKey = new KeyEncoder();
  private final IndexedValue[] indexed;
  private final RecordSchema.Reading[] readings;
  private final SpatialValue[] spatialValues;
  private final TextValue[] texts;

  /** For each open object or array the node of the paths that it is at; null off all paths. */
  private PathTree.@Nullable Node[] open = new PathTree.Node[16];

  /** For each open object or array what gathers its numbers. */
  private @Nullable SpatialValue[] gathering = new SpatialValue[16];

  /** A reader for new records of one schema. */
  public RecordReader(RecordSchema schema, RecordLimits limits) {
    this(schema, limits, true);
  }

  private RecordReader(RecordSchema schema, RecordLimits limits, boolean isNew) {
    this.paths = schema.paths();
    this.limits = limits;
    this.exact = new boolean[paths.slotCount()];
    for (int slot : paths.primaryKey()) {
      exact[slot] = isNew;
    }
    this.found = new Found[paths.slotCount()];
    this.values = encoders(paths.slotCount());
    this.readings =
        schema.secondaries().stream()
            .map(RecordSchema.Secondary::reading)
            .toArray(RecordSchema.Reading[]::new);
    this.spatialValues = new SpatialValue[paths.spatialCount()];
    Arrays.setAll(spatialValues, i -> new SpatialValue());
    this.texts = new TextValue[paths.textCount()];
    Arrays.setAll(texts, i -> new TextValue());
    this.indexed = new IndexedValue[readings.length];
    for (int index = 0; index < indexed.length; index++) {
      boolean isText = readings[index] == RecordSchema.Reading.TEXT;
      indexed[index] =
          new IndexedValue(primaryKey, isText ? texts[paths.secondaries()[index][0]] : null);
    }
  }

  /**
   * A reader for records that are stored. What they were refused for by now does not matter any
   * more: they are read under the widest limits, and a number that was taken for the nearest double
   * when it became a primary key still is.
   */
  public static RecordReader ofStored(RecordSchema schema) {
    return new RecordReader(schema, RecordLimits.WIDEST, false);
  }

  /**
   * Reads a record.
   *
   * @throws RequestException with {@code MALFORMED_RECORD}, the position and the reason
   * @throws LimitException when the record, its nesting, a number or a key is over its bound
   */
  public void read(Slice json) throws StorageException {
    requireLength(json);
    int invalid = Utf8.firstInvalid(json.bytes(), json.offset(), json.length());
    if (invalid >= 0) {
      throw malformed(invalid - json.offset(), "not valid UTF-8");
    }
    parse(json, Extent.RECORD);
    makePrimaryKey();
    for (int index = 0; index < readings.length; index++) {
      int[] slots = paths.secondaries()[index];
      switch (readings[index]) {
        case KEY -> makeSecondaryKey(index, slots);
        case SPATIAL -> indexed[index].setRectangle(spatialValues[slots[0]].rectangle());
        case TEXT -> indexed[index].setPresent(texts[slots[0]].present());
      }
    }
  }

  /**
   * Reads the primary key and stops behind it: what follows isn't looked at. The key of a record is
   * the one that {@link #read} gives; of what isn't a record it may be any, so this is for whoever
   * sends records to where they are read. There are no secondary keys afterwards.
   *
   * @throws RequestException with {@code MALFORMED_RECORD}, the position and the reason
   * @throws LimitException when the record or something up to its key is over its bound
   */
  public void readPrimaryKey(Slice json) throws StorageException {
    requireLength(json);
    for (IndexedValue value : indexed) {
      value.setPresent(false);
    }
    parse(json, Extent.PRIMARY_KEY);
    makePrimaryKey();
  }

  private void requireLength(Slice json) throws LimitException {
    if (json.length() > limits.maxRecordBytes()) {
      throw new LimitException("record bytes", json.length(), limits.maxRecordBytes());
    }
  }

  private void parse(Slice json, Extent extent) throws StorageException {
    Arrays.fill(found, Found.NOTHING);
    for (SpatialValue value : spatialValues) {
      value.reset();
    }
    for (TextValue text : texts) {
      text.reset();
    }
    names.reset();
    try (JsonParser parser = JSON.createParser(json.bytes(), json.offset(), json.length())) {
      readFields(parser, extent);
    } catch (JsonProcessingException e) {
      long at = e.getLocation() == null ? -1 : e.getLocation().getByteOffset();
      throw malformed(at, e.getOriginalMessage());
    } catch (IOException e) {
      // The parser reads an array; it has no other cause to fail than what it read.
      throw malformed(-1, Objects.toString(e.getMessage()));
    }
  }

  /** The encoded primary key of the record read last; holds until the next read. */
  public Slice primaryKey() {
    return primaryKey.toSlice();
  }

  /**
   * The encoded value of the record read last that components are filtered by; null when it has
   * none, or one that is no number, text or truth value. Holds until the next read.
   */
  public @Nullable Slice filterValue() {
    int slot = paths.filter();
    return slot < 0 || found[slot] != Found.SCALAR ? null : values[slot].toSlice();
  }

  /** What is read for a secondary index, to be asked after each record that has it. */
  public IndexedValue value(int index) {
    return indexed[index];
  }

  /** Whether the record read last has an entry in a secondary index. */
  public boolean hasValue(int index) {
    return indexed[index].present();
  }

  /**
   * What was read as {@code KEY}: the encoded key of the entry, without the primary key; holds
   * until the next read.
   */
  public Slice secondaryKey(int index) {
    assert readings[index] == RecordSchema.Reading.KEY;
    return indexed[index].encoded();
  }

  /** What was read as {@code SPATIAL}. */
  public Rectangle rectangle(int index) {
    return indexed[index].rectangle();
  }

  /** What was read as {@code TEXT}, in UTF-8; holds until the next read. */
  public Slice text(int index) {
    return indexed[index].text();
  }

  private void readFields(JsonParser parser, Extent extent) throws IOException, StorageException {
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      throw malformed(0, "a record is an object");
    }
    int depth = 0;
    open[0] = paths.root();
    gathering[0] = null;
    names.enter();
    PathTree.@Nullable Node field = null;
    while (depth >= 0) {
      JsonToken token = parser.nextToken();
      if (token == null) {
        throw malformed(parser.currentLocation().getByteOffset(), "the record ends too early");
      }
      switch (token) {
        case FIELD_NAME -> {
          String name = parser.currentName();
          if (!names.add(name)) {
            throw malformed(
                parser.currentTokenLocation().getByteOffset(), "a second field '" + name + "'");
          }
          PathTree.@Nullable Node here = open[depth];
          field = here == null ? null : here.child(name);
          if (gathering[depth] != null) {
            gathering[depth].field(name);
          }
        }
        case START_OBJECT, START_ARRAY -> {
          @Nullable SpatialValue inside = gatherIn(gathering[depth], field, token);
          depth = enter(depth, token == JsonToken.START_OBJECT ? field : null);
          gathering[depth] = inside;
          container(field);
          if (token == JsonToken.START_OBJECT) {
            names.enter();
          }
          field = null;
        }
        case END_OBJECT -> {
          names.leave();
          depth--;
        }
        case END_ARRAY -> {
          if (gathering[depth] != null) {
            gathering[depth].endArray();
          }
          depth--;
        }
        default -> {
          scalar(parser, token, field, gathering[depth]);
          if (extent == Extent.PRIMARY_KEY && hasPrimaryKey()) {
            return;
          }
          // Further values of an array are at no path.
          field = null;
        }
      }
    }
    if (parser.nextToken() != null) {
      throw malformed(
          parser.currentTokenLocation().getByteOffset(), "something follows the record");
    }
  }

  private boolean hasPrimaryKey() {
    for (int slot : paths.primaryKey()) {
      if (found[slot] == Found.NOTHING) {
        return false;
      }
    }
    return true;
  }

  private int enter(int depth, PathTree.@Nullable Node node) throws LimitException {
    int next = depth + 1;
    if (next >= limits.maxDepth()) {
      throw new LimitException("levels of nesting in a record", next + 1L, limits.maxDepth());
    }
    if (next == open.length) {
      open = Arrays.copyOf(open, 2 * next);
      gathering = Arrays.copyOf(gathering, 2 * next);
    }
    open[next] = node;
    return next;
  }

  /** What gathers the numbers of an object or array that begins: null for nothing. */
  private @Nullable SpatialValue gatherIn(
      @Nullable SpatialValue around, PathTree.@Nullable Node field, JsonToken begin) {
    boolean array = begin == JsonToken.START_ARRAY;
    @Nullable SpatialValue shared = null;
    if (around != null && array) {
      shared = around.takesArray() ? around : null;
    } else if (around != null) {
      around.takesNoObject();
    }
    if (field == null || field.spatial() < 0) {
      return shared;
    }
    SpatialValue own = spatialValues[field.spatial()];
    if (array) {
      own.beginArray(shared);
    } else {
      own.beginObject();
    }
    return own;
  }

  private void container(PathTree.@Nullable Node field) {
    if (field != null && field.slot() >= 0) {
      found[field.slot()] = Found.CONTAINER;
    }
  }

  private void scalar(
      JsonParser parser,
      JsonToken token,
      PathTree.@Nullable Node field,
      @Nullable SpatialValue gathers)
      throws IOException, StorageException {
    boolean isNumber = token == JsonToken.VALUE_NUMBER_INT || token == JsonToken.VALUE_NUMBER_FLOAT;
    if (isNumber && parser.getTextLength() > limits.maxNumberCharacters()) {
      throw new LimitException(
          "characters in a number", parser.getTextLength(), limits.maxNumberCharacters());
    }
    if (gathers != null) {
      if (isNumber) {
        gathers.number(parser.getDoubleValue());
      } else {
        gathers.noNumber(parser.getText());
      }
    }
    if (field == null) {
      return;
    }
    if (field.text() >= 0 && token == JsonToken.VALUE_STRING) {
      if (!texts[field.text()].set(parser.getText())) {
        throw malformed(
            parser.currentTokenLocation().getByteOffset(), "half a surrogate pair in a text");
      }
    }
    if (field.slot() < 0) {
      return;
    }
    int slot = field.slot();
    KeyEncoder value = values[slot].reset();
    found[slot] = Found.SCALAR;
    switch (token) {
      case VALUE_NULL -> found[slot] = Found.NULL;
      case VALUE_TRUE -> value.addBoolean(true);
      case VALUE_FALSE -> value.addBoolean(false);
      case VALUE_NUMBER_FLOAT, VALUE_NUMBER_INT -> number(parser, token, slot);
      case VALUE_STRING -> text(parser, parser.getText(), slot);
      default -> throw new AssertionError(token);
    }
  }

  private void number(JsonParser parser, JsonToken token, int slot)
      throws IOException, RequestException {
    if (token == JsonToken.VALUE_NUMBER_INT
        && parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
      values[slot].addLong(parser.getLongValue());
      return;
    }
    double nearest = parser.getDoubleValue();
    if (exact[slot]
        && !KeyNumber.standsFor(
            nearest, parser.getTextCharacters(), parser.getTextOffset(), parser.getTextLength())) {
      throw malformed(
          parser.currentTokenLocation().getByteOffset(),
          "primary key '"
              + paths.path(slot)
              + "' is "
              + parser.getText()
              + ", which no key holds exactly; a whole number within 64 bits is held when it is"
              + " written without fraction and exponent, any other with up to 15 digits, and each"
              + " as text");
    }
    values[slot].addDouble(nearest);
  }

  private void text(JsonParser parser, String text, int slot) throws StorageException {
    // Encoding takes up to three bytes a character: refuse before it makes a buffer of that.
    if (text.length() > limits.maxKeyBytes()) {
      throw new LimitException(
          "characters of an indexed field", text.length(), limits.maxKeyBytes());
    }
    try {
      values[slot].addString(text);
    } catch (IllegalArgumentException e) {
      throw malformed(
          parser.currentTokenLocation().getByteOffset(),
          "field '" + paths.path(slot) + "' is not valid text: " + e.getMessage());
    }
  }

  private void makePrimaryKey() throws StorageException {
    primaryKey.reset();
    for (int slot : paths.primaryKey()) {
      if (found[slot] != Found.SCALAR) {
        throw malformed(-1, "primary key '" + paths.path(slot) + "' " + problem(found[slot]));
      }
      primaryKey.addEncoded(values[slot].toSlice());
    }
    if (primaryKey.length() > limits.maxKeyBytes()) {
      throw new LimitException("primary key bytes", primaryKey.length(), limits.maxKeyBytes());
    }
  }

  private void makeSecondaryKey(int index, int[] slots) throws LimitException {
    KeyEncoder key = indexed[index].encoder().reset();
    boolean present = true;
    for (int slot : slots) {
      if (found[slot] != Found.SCALAR) {
        present = false;
        break;
      }
      key.addEncoded(values[slot].toSlice());
    }
    indexed[index].setPresent(present);
    int bytes = key.length() + primaryKey.length();
    if (present && bytes > limits.maxKeyBytes()) {
      throw new LimitException(
          "secondary key bytes, primary key included", bytes, limits.maxKeyBytes());
    }
  }

  private static String problem(Found found) {
    return switch (found) {
      case NOTHING -> "is missing";
      case NULL -> "is null";
      case CONTAINER -> "is an object or array";
      case SCALAR -> throw new AssertionError(found);
    };
  }

  private static KeyEncoder[] encoders(int count) {
    KeyEncoder[] encoders = new KeyEncoder[count];
    Arrays.setAll(encoders, i -> new KeyEncoder());
    return encoders;
  }

  private static RequestException malformed(long position, String reason) {
    return new RequestException(
        RequestException.Reason.MALFORMED_RECORD,
        position < 0 ? "record: " + reason : "record at byte " + position + ": " + reason);
  }
}
