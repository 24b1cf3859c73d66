package dev.varve.it.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Goal: the lists of {@code docs/ARCHITECTURE.md} are complete. Method: locks and packages are
 * found in the main sources; {@code -Dvarve.rewrite=true} writes the map of packages anew.
 */
final class ArchitecturePageTest {
  private static final Path PAGE = Repository.ROOT.resolve("docs/ARCHITECTURE.md");
  private static final Pattern LOCK =
      Pattern.compile("new (?:ReentrantLock|ReentrantReadWriteLock|StampedLock)\\b");
  private static final Pattern TYPE_NAME = Pattern.compile("`([A-Z][A-Za-z]*)`");
  private static final Pattern PACKAGE_INFO =
      Pattern.compile("/\\*\\*(.*?)\\*/.*?^package ([\\w.]+);", Pattern.DOTALL | Pattern.MULTILINE);

  @Test
  void everyClassWithALockStandsInTheLockOrder() {
    Set<String> named = names(section("Lock order"));
    List<String> missing = new ArrayList<>();
    Set<String> types = new TreeSet<>();
    for (Path source : Repository.mainSources()) {
      String type = source.getFileName().toString().replace(".java", "");
      types.add(type);
      if (LOCK.matcher(Repository.read(source)).find() && !named.contains(type)) {
        missing.add(Repository.name(source));
      }
    }
    assertEquals(
        List.of(), missing, "read what these hold while they take what, and give them a place");
    named.removeAll(types);
    assertEquals(Set.of(), named, "types of the lock order that are no longer there");
  }

  @Test
  void theMapHasEveryPackageWithTheFirstSentenceOfItsDocumentation() throws IOException {
    List<String> rows = new ArrayList<>();
    for (String module : Repository.MODULES) {
      Path sources = Repository.ROOT.resolve(module).resolve("src/main/java");
      if (Files.isDirectory(sources)) {
        Repository.files(sources, "package-info.java").stream()
            .map(info -> row(module, Repository.read(info)))
            .sorted()
            .forEach(rows::add);
      }
    }
    String section = section("Packages");
    String kept =
        section.lines().filter(line -> line.startsWith("| `")).collect(Collectors.joining("\n"));
    String found = String.join("\n", rows);
    if (Boolean.getBoolean("varve.rewrite") && !kept.equals(found)) {
      String page = Repository.read(PAGE);
      Files.writeString(PAGE, page.replace(section, section.replace(kept, found)));
      return;
    }
    assertEquals(
        found, kept, "the map of packages is old; run this test with -Dvarve.rewrite=true");
  }

  private static String row(String module, String packageInfo) {
    Matcher info = PACKAGE_INFO.matcher(packageInfo);
    assertTrue(info.find(), packageInfo);
    String text =
        info.group(1)
            .replaceAll("\\n *\\*", " ")
            .replaceAll("\\s+", " ")
            .replaceAll("\\{@code ([^}]*)}", "`$1`")
            .replaceAll("\\{@link (?:[\\w]+\\.)*(\\w+)}", "`$1`")
            .replaceAll("</?i>", "*")
            .strip();
    String first = text.split("(?<=\\.) |<p>", 2)[0].strip();
    return "| `" + info.group(2) + "` | " + module + " | " + first + " |";
  }

  private static Set<String> names(String section) {
    return TYPE_NAME
        .matcher(section)
        .results()
        .map((MatchResult match) -> match.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String section(String heading) {
    String page = Repository.read(PAGE);
    int begin = page.indexOf("\n## " + heading + "\n");
    assertTrue(begin >= 0, "no section " + heading);
    int end = page.indexOf("\n## ", begin + 1);
    return page.substring(begin, end < 0 ? page.length() : end);
  }
}
