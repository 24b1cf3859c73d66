package dev.varve.dataset.kind;

import com.fasterxml.jackson.core.JsonToken;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.FieldPath;
import java.io.ByteArrayOutputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Some fields of JSON records: an object with those that a record has, in its order, at their
 * places and with their bytes. An object of which no field is wanted is left out. Immutable and
 * thread-safe.
 */
public final class FieldSelection {
  /** A field on the way to, or at the end of, a path. */
  private static final class Node {
    private final Map<String, Node> inside = new HashMap<>();
    private boolean whole;
  }

  private final Node root = new Node();

  /** Those at the end of some paths; of a path and one below it, the shorter one counts. */
  public FieldSelection(List<FieldPath> paths) {
    for (FieldPath path : paths) {
      Node node = root;
      for (String step : path.steps()) {
        node = node.inside.computeIfAbsent(step, name -> new Node());
      }
      node.whole = true;
    }
  }

  /**
   * Those of a record.
   *
   * @param record a JSON object
   * @throws dev.varve.common.error.RequestException with {@code MALFORMED_RECORD} when it is none
   */
  public byte[] of(Slice record) throws StorageException {
    try (JsonText text = new JsonText("record", record)) {
      if (text.next() != JsonToken.START_OBJECT) {
        throw text.malformed(0, "a record is an object");
      }
      ByteArrayOutputStream selected = new ByteArrayOutputStream();
      select(text, root, selected);
      selected.write('}');
      return selected.toByteArray();
    }
  }

  /** Writes the fields of the object that it is at, behind a brace, and says whether any is. */
  private static boolean select(JsonText text, Node wanted, ByteArrayOutputStream selected)
      throws StorageException {
    char before = '{';
    while (text.next() == JsonToken.FIELD_NAME) {
      Node field = wanted.inside.get(text.name());
      int nameAt = text.at();
      JsonToken token = text.next();
      int valueAt = text.at();
      if (field != null && field.whole) {
        selected.write(before);
        write(text.part(nameAt, text.skip()), selected);
        before = ',';
      } else if (field != null && token == JsonToken.START_OBJECT) {
        ByteArrayOutputStream inside = new ByteArrayOutputStream();
        if (select(text, field, inside)) {
          selected.write(before);
          write(text.part(nameAt, valueAt), selected);
          selected.writeBytes(inside.toByteArray());
          selected.write('}');
          before = ',';
        }
      } else {
        text.skip();
      }
    }
    if (before == '{') {
      selected.write(before);
    }
    return before != '{';
  }

  private static void write(Slice text, ByteArrayOutputStream selected) {
    selected.write(text.bytes(), text.offset(), text.length());
  }
}
