package dev.varve.dataset.catalog;

import dev.varve.dataset.record.FieldPath;
import java.util.List;

/**
 * A secondary B+-tree on one or more fields. A record in which a field is missing, null, or an
 * object or array has no entry in the index.
 *
 * @param name name in the dataset, 1 to 255 UTF-8 bytes
 * @param paths the indexed fields, in order
 */
public record IndexDefinition(String name, List<FieldPath> paths) {
  /** Copies the list; the names are checked with the dataset's other options. */
  public IndexDefinition {
    paths = List.copyOf(paths);
  }

  /** An index on one field that is named after it: {@code on("user.name")}. */
  public static IndexDefinition on(String path) {
    return new IndexDefinition(path, List.of(FieldPath.parse(path)));
  }
}
