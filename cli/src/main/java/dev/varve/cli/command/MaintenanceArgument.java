package dev.varve.cli.command;

import dev.varve.dataset.catalog.IndexMaintenance;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The maintenance of secondary indexes as an argument: {@code eager}, {@code lazy}. */
final class MaintenanceArgument implements ITypeConverter<IndexMaintenance> {
  @Override
  public IndexMaintenance convert(String text) {
    try {
      return IndexMaintenance.parse(text);
    } catch (IllegalArgumentException unknown) {
      throw new TypeConversionException(String.valueOf(unknown.getMessage()));
    }
  }
}
