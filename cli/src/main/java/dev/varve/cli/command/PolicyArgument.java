package dev.varve.cli.command;

import dev.varve.dataset.options.MergePolicyOptions;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A merge policy as an argument, with brackets or, so that a shell needs no quotes, with colons:
 * {@code tiering(3)}, {@code prefix:1g:5}.
 */
final class PolicyArgument implements ITypeConverter<MergePolicyOptions> {
  @Override
  public MergePolicyOptions convert(String text) {
    return parse(text);
  }

  static MergePolicyOptions parse(String text) {
    try {
      return new MergePolicyOptions(text);
    } catch (IllegalArgumentException unreadable) {
      throw new TypeConversionException(String.valueOf(unreadable.getMessage()));
    }
  }
}
