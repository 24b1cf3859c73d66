package dev.varve.hyracks.feed;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.FieldPath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The records of another source with other fields, by rules that are followed in their order. A
 * field is named by its path, {@code user.name}, and its value is moved, whatever it is:
 *
 * <ul>
 *   <li>{@code name=title}: what was the title is the name;
 *   <li>{@code place=longitude+latitude}: an array of both, in this order, such as indexes of
 *       places take for a point; nothing where one of them is not there;
 *   <li>{@code internal=}: the field is left out;
 *   <li>{@code id=#}: an id is made, of the input's name and the number of the record in it, the
 *       same in every run; a random one where the input can't be read again.
 * </ul>
 *
 * <p>What is no JSON object stays as it is, to be refused. Immutable.
 *
 * @param source the other source
 * @param rules texts as above
 */
public record MappedSource(RecordSource source, List<String> rules) implements RecordSource {
  private static final long serialVersionUID = 1L;

  private static final String GENERATED = "#";

  /** Decimals stay what they are. */
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  /**
   * Checks the rules.
   *
   * @throws IllegalArgumentException naming one that is none
   */
  public MappedSource {
    rules = List.copyOf(rules);
    for (String rule : rules) {
      Rule checked = Rule.parse(rule);
      assert !checked.to.steps().isEmpty() : rule;
    }
  }

  /**
   * A rule.
   *
   * @param to the field that gets a value
   * @param from where from: one field, several for an array of them, or none
   * @param generated whether an id is made instead
   */
  private record Rule(FieldPath to, List<FieldPath> from, boolean generated) {
    static Rule parse(String text) {
      int sign = text.indexOf('=');
      if (sign < 1) {
        throw new IllegalArgumentException(
            "'" + text + "' is not FIELD=FIELD, FIELD=FIELD+FIELD, FIELD=# or FIELD=");
      }
      String value = text.substring(sign + 1);
      List<FieldPath> from = new ArrayList<>();
      if (!value.isEmpty() && !value.equals(GENERATED)) {
        for (String field : value.split("\\+", -1)) {
          from.add(FieldPath.parse(field));
        }
      }
      return new Rule(FieldPath.parse(text.substring(0, sign)), from, value.equals(GENERATED));
    }

    void follow(ObjectNode record, String id) {
      if (generated) {
        put(record, JSON.getNodeFactory().textNode(id));
        return;
      }
      List<JsonNode> values = new ArrayList<>();
      for (FieldPath field : from) {
        JsonNode value = take(record, field);
        if (value != null) {
          values.add(value);
        }
      }
      JsonNode old = take(record, to);
      assert old == null || !old.isMissingNode() : to;
      if (from.size() == 1 && values.size() == 1) {
        put(record, values.get(0));
      } else if (from.size() > 1 && values.size() == from.size()) {
        ArrayNode all = JSON.createArrayNode();
        all.addAll(values);
        put(record, all);
      }
    }

    /** Takes a field out; null where it is not there. */
    private static @Nullable JsonNode take(ObjectNode record, FieldPath field) {
      JsonNode at = record;
      List<String> steps = field.steps();
      for (int i = 0; i < steps.size() - 1; i++) {
        at = at.path(steps.get(i));
      }
      return at instanceof ObjectNode inside ? inside.remove(steps.get(steps.size() - 1)) : null;
    }

    private void put(ObjectNode record, JsonNode value) {
      ObjectNode at = record;
      List<String> steps = to.steps();
      for (int i = 0; i < steps.size() - 1; i++) {
        JsonNode inside = at.get(steps.get(i));
        at = inside instanceof ObjectNode object ? object : at.putObject(steps.get(i));
      }
      at.set(steps.get(steps.size() - 1), value);
    }
  }

  @Override
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // closed with what is around it
  public RecordStream open(int partition, int partitions, ResumePoints resume)
      throws StorageException {
    return new Mapped(
        source.open(partition, partitions, resume), rules.stream().map(Rule::parse).toList());
  }

  /** Records with other fields. */
  private static final class Mapped implements RecordStream {
    private final RecordStream records;
    private final List<Rule> rules;

    Mapped(RecordStream records, List<Rule> rules) {
      this.records = records;
      this.rules = rules;
    }

    @Override
    public boolean next(Slice record) throws StorageException {
      if (!records.next(record)) {
        return false;
      }
      try {
        JsonNode read = JSON.readTree(record.bytes(), record.offset(), record.length());
        if (records.problem() == null && read instanceof ObjectNode object) {
          String id = id();
          rules.forEach(rule -> rule.follow(object, id));
          byte[] mapped = JSON.writeValueAsBytes(object);
          record.set(mapped, 0, mapped.length);
        }
      } catch (IOException noRecord) {
        // The dataset says what is wrong with it.
        assert record.length() > 0 : noRecord;
      }
      return true;
    }

    private String id() {
      long number = records.number();
      return number == 0 ? UUID.randomUUID().toString() : records.input() + GENERATED + number;
    }

    @Override
    public String place() {
      return records.place();
    }

    @Override
    public String input() {
      return records.input();
    }

    @Override
    public long number() {
      return records.number();
    }

    @Override
    public long offset() {
      return records.offset();
    }

    @Override
    public @Nullable String problem() {
      return records.problem();
    }

    @Override
    public void close() {
      records.close();
    }
  }
}
