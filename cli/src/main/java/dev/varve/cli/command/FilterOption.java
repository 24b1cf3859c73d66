package dev.varve.cli.command;

import dev.varve.dataset.model.FilterRange;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which records a reading command wants by the filter field. Filled by picocli. */
final class FilterOption {
  @Option(
      names = "--filter-range",
      paramLabel = "LOW:HIGH",
      converter = RangeArgument.Converter.class,
      description =
          "Only records whose filter field, chosen with 'varve ingest --filter', lies in this range;"
              + " components that have none of them are not read.")
  private @Nullable RangeArgument range;

  FilterRange filter() {
    RangeArgument wanted = range;
    return wanted == null ? FilterRange.NONE : FilterRange.of(wanted.toKeyRange());
  }
}
