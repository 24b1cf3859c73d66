package dev.varve.cli.command;

import dev.varve.dataset.model.Key;
import java.math.BigDecimal;
import java.util.List;
import picocli.CommandLine.TypeConversionException;

/** A value of a key as an argument: a JSON scalar, or text without its quotes. No state. */
final class KeyArgument {
  private KeyArgument() {}

  static Key parse(String text) {
    try {
      return Key.of(value(text));
    } catch (IllegalArgumentException refused) {
      throw new TypeConversionException(
          "'" + text + "': " + refused.getMessage() + "; write \"" + text + "\" for text");
    }
  }

  /** A primary key of several values. */
  static Key parse(List<String> texts) {
    return texts.size() == 1
        ? parse(texts.get(0))
        : Key.of(texts.stream().map(KeyArgument::value).toArray());
  }

  private static Object value(String text) {
    if (text.equals("true") || text.equals("false")) {
      return Boolean.valueOf(text);
    }
    if (text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"")) {
      return text.substring(1, text.length() - 1);
    }
    if (text.matches("-?[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]+)?")) {
      return new BigDecimal(text);
    }
    return text;
  }
}
