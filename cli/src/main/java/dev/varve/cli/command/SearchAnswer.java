package dev.varve.cli.command;

import dev.varve.dataset.model.FieldPath;
import dev.varve.hyracks.operator.Aggregate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** What is printed instead of the records: one of these at most. Filled by picocli. */
final class SearchAnswer {
  @Option(names = "--count", description = "Print how many match, not the records.")
  boolean count;

  @Option(
      names = "--min",
      paramLabel = "FIELD",
      converter = Field.class,
      description = "Print the lowest value that this field has in what matches.")
  private @Nullable FieldPath least;

  @Option(
      names = "--max",
      paramLabel = "FIELD",
      converter = Field.class,
      description = "Print the highest value that this field has in what matches.")
  private @Nullable FieldPath greatest;

  @Option(
      names = "--group",
      paramLabel = "FIELD",
      converter = Field.class,
      description =
          "Print each value that this field has in what matches, and how many records have it.")
  private @Nullable FieldPath each;

  /** A path of a field. */
  static final class Field implements ITypeConverter<FieldPath> {
    @Override
    public FieldPath convert(String text) {
      try {
        return FieldPath.parse(text);
      } catch (IllegalArgumentException problem) {
        throw new TypeConversionException(String.valueOf(problem.getMessage()));
      }
    }
  }

  /** What becomes of the values of a field; null when none are asked for. */
  @Nullable Aggregate aggregate() {
    FieldPath low = least;
    FieldPath high = greatest;
    FieldPath every = each;
    if (low != null) {
      return new Aggregate(Aggregate.Kind.LEAST, low);
    }
    if (high != null) {
      return new Aggregate(Aggregate.Kind.GREATEST, high);
    }
    return every == null ? null : new Aggregate(Aggregate.Kind.EACH, every);
  }
}
