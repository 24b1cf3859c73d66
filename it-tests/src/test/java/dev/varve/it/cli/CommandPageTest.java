package dev.varve.it.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: {@code docs/COMMAND.md} has every command, and its examples print what stands below them.
 * Method: the blocks called {@code console} are run on the store of the README's example, and on
 * the one that the page imports.
 */
final class CommandPageTest {
  private static final Pattern BLOCK =
      Pattern.compile("(?m)^```(console|sh|)\n(.*?)^```$", Pattern.DOTALL);
  private static final Pattern COMMAND = Pattern.compile("(?m)^\\| `([a-z-]+)` \\|");
  private static final Pattern HEADING = Pattern.compile("(?m)^== varve ([a-z-]+)$");

  @TempDir Path directory;

  private static Set<String> names(Pattern pattern, String page) {
    Set<String> names = new TreeSet<>();
    Matcher matcher = pattern.matcher(page);
    while (matcher.find()) {
      names.add(matcher.group(1));
    }
    return names;
  }

  @Test
  void everyCommandStandsInTheTable() throws IOException {
    Set<String> commands = names(HEADING, Repository.read("docs/help.txt"));
    assertTrue(commands.size() > 20, commands::toString);
    assertEquals(commands, names(COMMAND, Repository.read("docs/COMMAND.md")));
  }

  @Test
  void examplesPrintWhatStandsBelowThem() throws Exception {
    fill(directory.resolve("people"));
    Matcher block = BLOCK.matcher(Repository.read("docs/COMMAND.md"));
    int compared = 0;
    while (block.find()) {
      String text = block.group(2);
      if (block.group(1).isEmpty()) {
        Files.writeString(directory.resolve("people.csv"), text);
      } else if (block.group(1).equals("console")) {
        compared += compare(text);
      } else if (text.startsWith("varve import")) {
        CommandRun.good(arguments(text.strip()));
      }
    }
    assertTrue(compared >= 6, "examples compared: " + compared);
  }

  /** The store of the README's example, without what that prints. */
  private static void fill(Path store) throws Exception {
    PrintStream before = System.out;
    System.setOut(new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8));
    try {
      EmbeddingExample.run(store);
    } finally {
      System.setOut(before);
    }
  }

  private String[] arguments(String line) {
    String words = line.replaceFirst("^(\\$ )?varve ", "").replace("/tmp", directory.toString());
    return words.split(" ");
  }

  private int compare(String block) {
    List<String> printed = new ArrayList<>();
    int commands = 0;
    for (String line : block.lines().toList()) {
      if (line.startsWith("$ ")) {
        commands++;
        printed.add(line);
        printed.addAll(CommandRun.good(arguments(line)).out().lines().toList());
      }
    }
    assertEquals(block.strip(), String.join("\n", printed));
    return commands;
  }
}
