package dev.varve.cli.command;

import dev.varve.common.maintenance.MergeScheduler;
import dev.varve.scheduler.scheduling.SchedulerText;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A merge scheduler as an argument, with brackets or with colons: {@code fair}, {@code greedy(1)},
 * {@code bounded-greedy:8}.
 */
final class SchedulerArgument implements ITypeConverter<MergeScheduler> {
  @Override
  public MergeScheduler convert(String text) {
    try {
      return SchedulerText.parse(text);
    } catch (IllegalArgumentException unreadable) {
      throw new TypeConversionException(String.valueOf(unreadable.getMessage()));
    }
  }
}
