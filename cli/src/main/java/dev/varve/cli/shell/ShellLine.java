package dev.varve.cli.shell;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jline.reader.EOFError;
import org.jline.reader.Parser.ParseContext;
import org.jline.reader.SyntaxError;
import org.jline.reader.impl.DefaultParser;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * A line of a shell as the words of a command. Quotes, single and double, and backslashes are as in
 * other shells. Immutable.
 *
 * @param words of the line; none when it is empty or a comment
 */
record ShellLine(List<String> words) {
  /** Copies the list. */
  ShellLine {
    words = List.copyOf(words);
  }

  /**
   * Takes a line apart.
   *
   * @throws IllegalArgumentException when a quote is never closed
   */
  static ShellLine parse(String line) {
    if (line.isBlank() || line.stripLeading().startsWith("#")) {
      return new ShellLine(List.of());
    }
    DefaultParser parser = new DefaultParser();
    parser.setEofOnUnclosedQuote(true);
    try {
      return new ShellLine(
          parser.parse(line, line.length(), ParseContext.ACCEPT_LINE).words().stream()
              .filter(word -> !word.isEmpty())
              .toList());
    } catch (EOFError open) {
      throw new IllegalArgumentException("a quote is not closed: " + line, open);
    } catch (SyntaxError wrong) {
      throw new IllegalArgumentException(wrong.getMessage() + ": " + line, wrong);
    }
  }

  /** Name of the command; empty when there is none. */
  String command() {
    return words.isEmpty() ? "" : words.get(0);
  }

  /**
   * The arguments as they would be outside of the shell: with {@code --dir}, where the command has
   * it and the line does not, and {@code help X} as {@code X --help}.
   */
  List<String> arguments(CommandLine commands, Path directory) {
    List<String> arguments = new ArrayList<>(words);
    if (command().equals("help")) {
      arguments.remove(0);
      arguments.add("--help");
    }
    CommandLine command = commands;
    int depth = 0;
    while (depth < arguments.size()) {
      CommandLine below = command.getSubcommands().get(arguments.get(depth));
      if (below == null) {
        break;
      }
      command = below;
      depth++;
    }
    if (takesDirectory(command.getCommandSpec()) && !namesDirectory(arguments)) {
      arguments.addAll(depth, List.of("--dir", directory.toString()));
    }
    return arguments;
  }

  private static boolean takesDirectory(CommandSpec command) {
    return command.findOption("--dir") != null;
  }

  private static boolean namesDirectory(List<String> arguments) {
    return arguments.stream()
        .anyMatch(
            word -> word.equals("--dir") || word.startsWith("--dir=") || word.startsWith("-d"));
  }
}
