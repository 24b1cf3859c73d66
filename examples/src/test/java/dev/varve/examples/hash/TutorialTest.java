package dev.varve.examples.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Goal: docs/LSMIFY.md shows the code that is compiled and tested, and all of it; the kind stays as
 * short as the page says. Method: every block of Java on the page stands in a source file, line by
 * line, and every line of the sources stands on the page.
 */
final class TutorialTest {
  private static final int MOST_LINES = 200;

  private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  /** Blank, comment or import. */
  private static final Pattern NOT_COUNTED =
      Pattern.compile("|//.*|/\\*\\*.*|\\*.*|import .*|package .*");

  private static Path root() {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.exists(directory.resolve("docs/LSMIFY.md"))) {
      directory = directory.getParent();
    }
    return directory;
  }

  private static List<String> sources() throws IOException {
    Path folder = root().resolve("examples/src/main/java/dev/varve/examples/hash");
    List<String> sources = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(path -> !path.endsWith("package-info.java")).toList()) {
        sources.add(Files.readString(file));
      }
    }
    return sources;
  }

  private static List<String> blocks() throws IOException {
    Matcher matcher = BLOCK.matcher(Files.readString(root().resolve("docs/LSMIFY.md")));
    return matcher.results().map(block -> block.group(1)).toList();
  }

  private static List<String> counted(String text) {
    return text.lines()
        .map(String::strip)
        .filter(line -> !NOT_COUNTED.matcher(line).matches())
        .toList();
  }

  /** A text without the space before its lines: methods stand on the page without their class. */
  private static String flat(String text) {
    return text.lines().map(String::strip).collect(Collectors.joining("\n", "\n", "\n"));
  }

  @Test
  void everyBlockStandsInASource() throws IOException {
    List<String> sources = sources().stream().map(TutorialTest::flat).toList();
    for (String block : blocks()) {
      String wanted = flat(block);
      assertTrue(sources.stream().anyMatch(source -> source.contains(wanted)), block);
    }
  }

  @Test
  void everyLineOfTheSourcesStandsOnThePage() throws IOException {
    List<String> shown = blocks().stream().flatMap(block -> counted(block).stream()).toList();
    List<String> missing = new ArrayList<>();
    for (String source : sources()) {
      counted(source).stream().filter(line -> !shown.contains(line)).forEach(missing::add);
    }
    assertEquals(List.of(), missing);
  }

  @Test
  void theKindIsAsShortAsThePageSays() throws IOException {
    int lines = sources().stream().mapToInt(source -> counted(source).size()).sum();
    String page = Files.readString(root().resolve("docs/LSMIFY.md"));
    assertTrue(page.contains(lines + " lines"), "the sources have " + lines + " lines");
    assertTrue(lines < MOST_LINES, lines + " lines");
  }
}
