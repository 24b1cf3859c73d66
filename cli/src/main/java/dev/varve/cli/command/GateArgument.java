package dev.varve.cli.command;

import dev.varve.scheduler.admission.WriteGate;
import dev.varve.scheduler.admission.WriteGates;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A write gate as an argument, with brackets or with colons: {@code stop}, {@code slow(0.5, 10m)},
 * {@code cap:4m}.
 */
final class GateArgument implements ITypeConverter<WriteGate> {
  @Override
  public WriteGate convert(String text) {
    try {
      return WriteGates.parse(text);
    } catch (IllegalArgumentException unreadable) {
      throw new TypeConversionException(String.valueOf(unreadable.getMessage()));
    }
  }
}
