package dev.varve.report.command;

import java.text.BreakIterator;
import java.util.Locale;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi.Text;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.TextTable;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * The list of commands in a help text: of each the first sentence that it says of itself. picocli
 * has the first line in its place, which may end in the middle of a sentence. No state.
 */
final class CommandList {
  private CommandList() {}

  static String of(Help help) {
    if (help.subcommands().isEmpty()) {
      return "";
    }
    int widest = help.subcommands().keySet().stream().mapToInt(String::length).max().orElse(0);
    int names = widest + 4;
    int texts = help.commandSpec().usageMessage().width() - names;
    TextTable table =
        TextTable.forColumns(
            help.colorScheme(),
            new Column(names, 2, Column.Overflow.SPAN),
            new Column(texts, 2, Column.Overflow.WRAP));
    help.subcommands()
        .forEach(
            (name, command) ->
                table.addRowValues(
                    text(help, name),
                    text(help, firstSentence(command.commandSpec().usageMessage()))));
    return table.toString();
  }

  private static Text text(Help help, String text) {
    return help.colorScheme().ansi().text(text);
  }

  /** The first sentence of a description. */
  static String firstSentence(UsageMessageSpec message) {
    String description = String.join(" ", message.description()).replace("%%", "%");
    BreakIterator sentences = BreakIterator.getSentenceInstance(Locale.ROOT);
    sentences.setText(description);
    int end = sentences.next();
    return end == BreakIterator.DONE ? "" : description.substring(0, end).strip();
  }
}
