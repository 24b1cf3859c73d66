package dev.varve.cli.command;

import dev.varve.dataset.catalog.MergePolicyOptions;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A merge policy as an argument: {@code none}, {@code constant:K} or {@code prefix:BYTES:N}. */
final class PolicyArgument implements ITypeConverter<MergePolicyOptions> {
  @Override
  public MergePolicyOptions convert(String text) {
    return parse(text);
  }

  static MergePolicyOptions parse(String text) {
    String[] parts = text.toLowerCase(Locale.ROOT).split(":", -1);
    try {
      if (parts[0].equals("none") && parts.length == 1) {
        return MergePolicyOptions.none();
      }
      if (parts[0].equals("constant") && parts.length == 2) {
        return MergePolicyOptions.constant(Integer.parseInt(parts[1]));
      }
      if (parts[0].equals("prefix") && parts.length == 3) {
        return MergePolicyOptions.prefix(
            ByteSize.parse(parts[1]).bytes(), Integer.parseInt(parts[2]));
      }
    } catch (IllegalArgumentException outOfBounds) {
      throw new TypeConversionException("'" + text + "': " + outOfBounds.getMessage());
    }
    throw new TypeConversionException(
        "'" + text + "' is no merge policy; write none, constant:4 or prefix:1g:5");
  }
}
