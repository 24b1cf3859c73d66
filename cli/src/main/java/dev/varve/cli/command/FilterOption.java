package dev.varve.cli.command;

import dev.varve.btree.KeyRange;
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
          "Only records whose filter field, chosen with --filter of 'varve ingest' or 'varve import',"
              + " lies in this range; components that have none of them are not read.")
  private @Nullable RangeArgument range;

  FilterRange filter() {
    KeyRange wanted = range();
    return wanted == null ? FilterRange.NONE : FilterRange.of(wanted);
  }

  /** The range of encoded values; null when all records are wanted. */
  @Nullable KeyRange range() {
    RangeArgument wanted = range;
    return wanted == null ? null : wanted.toKeyRange();
  }
}
