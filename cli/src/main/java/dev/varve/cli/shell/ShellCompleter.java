package dev.varve.cli.shell;

import dev.varve.cli.command.StoreNames;
import dev.varve.common.error.StorageException;
import java.util.ArrayList;
import java.util.List;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;
import picocli.AutoComplete;
import picocli.CommandLine;

/**
 * What may stand where the cursor is: commands, options and their values by picocli; behind {@code
 * --dataset} the stores, behind {@code --by} their secondary indexes. Confined to the main thread.
 */
final class ShellCompleter implements Completer {
  private static final List<String> OWN = List.of("exit", "help");

  private final ShellRun run;

  ShellCompleter(ShellRun run) {
    this.run = run;
  }

  @Override
  public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
    for (String each : candidates(line.words(), line.wordIndex(), line.wordCursor())) {
      candidates.add(new Candidate(each));
    }
  }

  /**
   * The words that may stand at a place.
   *
   * @param words of the line, the one that is being typed included
   * @param index which of them that is
   * @param cursor where in it the cursor is
   */
  List<String> candidates(List<String> words, int index, int cursor) {
    String before = index > 0 ? words.get(index - 1) : "";
    String typed = words.get(index).substring(0, cursor);
    if (before.equals("--dataset") || before.equals("--by")) {
      return names(before).stream().filter(name -> name.startsWith(typed)).toList();
    }
    CommandLine commands = run.commands();
    List<CharSequence> endings = new ArrayList<>();
    AutoComplete.complete(
        commands.getCommandSpec(), words.toArray(new String[0]), index, cursor, -1, endings);
    List<String> found = new ArrayList<>();
    endings.forEach(ending -> found.add(typed + ending));
    if (index == 0) {
      OWN.stream().filter(word -> word.startsWith(typed)).forEach(found::add);
    }
    return found.stream().distinct().sorted().toList();
  }

  private List<String> names(String option) {
    try {
      StoreNames names =
          StoreNames.of(run.access(), run.context().files(), run.setup().directory());
      return option.equals("--by") ? names.indexes() : names.stores();
    } catch (StorageException unreadable) {
      // A command will say what is wrong with the store; a key press is no place for it.
      return List.of();
    }
  }
}
