package dev.varve.dataset.model;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Where a value stands in a record: the names of nested fields from the outside in, written {@code
 * user.location.city}. Arrays are not stepped into. Immutable.
 *
 * @param steps field names, at least one
 */
public record FieldPath(List<String> steps) {
  /** Most steps that a path may have. */
  public static final int MAX_STEPS = 16;

  /** Longest step in UTF-8 bytes. */
  public static final int MAX_STEP_BYTES = 255;

  /** Copies the list and reports all problems at once. */
  public FieldPath {
    steps = List.copyOf(steps);
    List<String> problems = new ArrayList<>();
    if (steps.isEmpty() || steps.size() > MAX_STEPS) {
      problems.add("a field path has 1 to " + MAX_STEPS + " steps, not " + steps.size());
    }
    for (String step : steps) {
      int bytes = step.getBytes(StandardCharsets.UTF_8).length;
      if (bytes < 1 || bytes > MAX_STEP_BYTES) {
        problems.add(
            "step '"
                + step
                + "' of a field path has "
                + bytes
                + " bytes, not 1 to "
                + MAX_STEP_BYTES);
      }
    }
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", problems));
    }
  }

  /** Reads {@code a.b.c}; a field whose name holds a dot needs the constructor. */
  public static FieldPath parse(String path) {
    return new FieldPath(List.of(path.split("\\.", -1)));
  }

  @Override
  public String toString() {
    return String.join(".", steps);
  }
}
