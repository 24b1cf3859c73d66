package dev.varve.cli.command;

import dev.varve.scheduler.tuner.Tuner;
import dev.varve.scheduler.tuner.TunerText;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A tuner as an argument: {@code fixed}, {@code adoc-paper}, {@code static:8:16m}. */
final class TunerArgument implements ITypeConverter<Tuner> {
  @Override
  public Tuner convert(String text) {
    try {
      return TunerText.parse(text);
    } catch (IllegalArgumentException unreadable) {
      throw new TypeConversionException(String.valueOf(unreadable.getMessage()));
    }
  }
}
