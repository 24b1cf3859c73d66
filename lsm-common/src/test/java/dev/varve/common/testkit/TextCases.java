package dev.varve.common.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Cases kept as text, so that a reviewer reads inputs and answers and not code. Confined to the
 * caller.
 *
 * <pre>
 * # A comment: lines before a block, kept as they are.
 *
 * name of the case
 * any number of lines of input
 * ----
 * the expected lines
 *
 * next case
 * ...
 * </pre>
 *
 * <p>Blocks are separated by empty lines; neither input nor answer holds one (an empty line in an
 * answer is written as {@code .}). The resource lies beside the test class, under {@code
 * src/test/resources}. Run with {@code -Dvarve.rewrite=true}, a test writes the answers it got into
 * the file, for the reviewer of the change to read.
 */
public final class TextCases {
  private static final String REWRITE_PROPERTY = "varve.rewrite";
  private static final String SEPARATOR = "----";

  /** Computes the answer of one case. */
  @FunctionalInterface
  public interface Answer {
    /**
     * Answers a case.
     *
     * @param name the case's first line
     * @param input the lines between the name and the separator
     */
    String answer(String name, List<String> input) throws Exception;
  }

  private TextCases() {}

  /** Runs every case of a resource and compares, or rewrites, the whole text at once. */
  public static void run(Class<?> owner, String resource, Answer answer) throws Exception {
    String expected = read(owner, resource);
    String actual = answered(expected, answer);
    if (actual.equals(expected)) {
      return;
    }
    Path source = Path.of("src/test/resources", owner.getPackageName().replace('.', '/'), resource);
    if (Boolean.getBoolean(REWRITE_PROPERTY)) {
      Files.writeString(source, actual);
      System.out.println("rewrote " + source);
      return;
    }
    throw new AssertionError(
        source
            + " (rewrite with -D"
            + REWRITE_PROPERTY
            + "=true)\n"
            + difference(expected, actual));
  }

  /** The text with the answers that the cases get now. */
  static String answered(String text, Answer answer) throws Exception {
    StringBuilder result = new StringBuilder();
    Set<String> names = new HashSet<>();
    for (List<String> block : blocks(text)) {
      if (!result.isEmpty()) {
        result.append('\n');
      }
      List<String> lines = new ArrayList<>(block);
      while (!lines.isEmpty() && lines.get(0).startsWith("#")) {
        result.append(lines.remove(0)).append('\n');
      }
      if (lines.isEmpty()) {
        continue;
      }
      int separator = lines.indexOf(SEPARATOR);
      if (separator < 1) {
        throw new IllegalArgumentException("a case is a name, input, ----, answer: " + lines);
      }
      if (!names.add(lines.get(0))) {
        throw new IllegalArgumentException("two cases have the name " + lines.get(0));
      }
      lines.subList(0, separator + 1).forEach(line -> result.append(line).append('\n'));
      String given = answer.answer(lines.get(0), lines.subList(1, separator));
      given.lines().forEach(line -> result.append(line.isEmpty() ? "." : line).append('\n'));
    }
    return result.toString();
  }

  private static List<List<String>> blocks(String text) {
    List<List<String>> blocks = new ArrayList<>();
    List<String> block = new ArrayList<>();
    for (String line : text.lines().toList()) {
      if (!line.isBlank()) {
        block.add(line);
      } else if (!block.isEmpty()) {
        blocks.add(block);
        block = new ArrayList<>();
      }
    }
    if (!block.isEmpty()) {
      blocks.add(block);
    }
    return blocks;
  }

  private static String read(Class<?> owner, String resource) throws IOException {
    try (InputStream stream = owner.getResourceAsStream(resource)) {
      if (stream == null) {
        throw new IllegalArgumentException(resource + " is not beside " + owner.getName());
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  static String difference(String expected, String actual) {
    List<String> wanted = expected.lines().toList();
    List<String> got = actual.lines().toList();
    int same = 0;
    while (same < Math.min(wanted.size(), got.size()) && wanted.get(same).equals(got.get(same))) {
      same++;
    }
    return "first difference in line "
        + (same + 1)
        + ": expected '"
        + (same < wanted.size() ? wanted.get(same) : "the end")
        + "', got '"
        + (same < got.size() ? got.get(same) : "the end")
        + "'; all answers:\n"
        + actual;
  }
}
