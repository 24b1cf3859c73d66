package dev.varve.dataset.options;

import dev.varve.dataset.kind.BTreeKind;
import dev.varve.dataset.kind.IndexKind;
import dev.varve.dataset.model.FieldPath;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A secondary index of a dataset. Two are equal when names, names of kinds and fields are. What an
 * index cannot take, the record has no entry of: a B+-tree takes numbers, text and truth values in
 * each of its fields; an R-tree points {@code [x, y]} or {@code {"x": 1, "y": 2}} or as GeoJSON has
 * them, and rectangles {@code [minX, minY, maxX, maxY]}; keyword and n-gram indexes take text.
 *
 * @param name name in the dataset, 1 to 255 UTF-8 bytes
 * @param kind what it is
 * @param paths the indexed fields, in order; one, except in a B+-tree
 */
public record IndexDefinition(String name, IndexKind<?> kind, List<FieldPath> paths) {
  private static final IndexKind<?> BTREE = new BTreeKind();

  /** Copies the list; all is checked with the dataset's other options. */
  public IndexDefinition {
    paths = List.copyOf(paths);
  }

  /** A B+-tree. */
  public IndexDefinition(String name, List<FieldPath> paths) {
    this(name, BTREE, paths);
  }

  /** A B+-tree on one field that is named after it: {@code on("user.name")}. */
  public static IndexDefinition on(String path) {
    return of(BTREE, path);
  }

  /**
   * An index on one field. A B+-tree is named after the field, any other one as its {@link #text}
   * is: {@code rtree:sender_location}.
   */
  public static IndexDefinition of(IndexKind<?> kind, String path) {
    FieldPath field = FieldPath.parse(path);
    IndexDefinition unnamed = new IndexDefinition("", kind, List.of(field));
    String name = kind.name().equals(BTREE.name()) ? field.toString() : unnamed.text();
    return new IndexDefinition(name, kind, List.of(field));
  }

  /**
   * Reads the text form of an index on one field: {@code keyword:message_text}, or {@code
   * hash(64):user.name} for a kind that has options. Without a kind it is a B+-tree; a field whose
   * name holds a colon needs the kind before it.
   *
   * @throws IllegalArgumentException for a kind that does not exist or a path that is none
   */
  public static IndexDefinition parse(String text) {
    // What is in parentheses belongs to the kind.
    int options = text.indexOf('(');
    int colon = text.indexOf(':');
    if (options >= 0 && options < colon) {
      colon = text.indexOf("):", options) + 1;
    }
    return colon <= 0 && !text.startsWith(":")
        ? on(text)
        : of(IndexKind.parse(text.substring(0, colon)), text.substring(colon + 1));
  }

  /** Kind and fields: {@code btree:user.followers_count}; several fields are joined by commas. */
  public String text() {
    return kind.name()
        + ":"
        + paths.stream().map(FieldPath::toString).collect(Collectors.joining(","));
  }

  /** The name, and in parentheses the {@link #text}. */
  @Override
  public String toString() {
    return name + " (" + text() + ")";
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof IndexDefinition index
        && index.name.equals(name)
        && index.kind.name().equals(kind.name())
        && index.paths.equals(paths);
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, kind.name(), paths);
  }
}
