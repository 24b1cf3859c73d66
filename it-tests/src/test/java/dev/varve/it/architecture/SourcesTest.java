package dev.varve.it.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.it.architecture.Source.Mark;
import dev.varve.it.architecture.Source.MarkKind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Goal: the rules of the house style that only sources show: package documentation, what is caught,
 * monitors, format pages, loose ends (rules 3, 11, 16, 18, 26). Method: javac's parser over the
 * main sources of all modules.
 */
final class SourcesTest {
  private static final List<String> ANSWERS =
      List.of("May use", "Threads", "Owns and closes", "Format", "NullMarked");

  private static final int PACKAGE_INFO_LINES_MAX = 25;

  /** What runs other people's code, and has to end or report whatever it throws. */
  private static final Set<String> TASK_RUNNERS =
      Set.of("WorkerThread.java", "Main.java", "ErrorTranslator.java");

  private static final Pattern LOOSE_END = Pattern.compile("\\b(TODO|FIXME|XXX)\\b(?! #[0-9])");

  private static final List<Source> MAIN = Source.parse(Repository.mainSources());

  /** Modules that no embedding program and no node of a cluster loads. */
  private static final Set<String> TOOLS =
      Set.of("benchmarks", "cli", "examples", "report", "simulator", "tweets", "ycsb-binding");

  @Test
  void toolsAreAtMostAThirdOfAllCode() {
    long all = 0;
    long tools = 0;
    for (Path file : Repository.mainSources()) {
      long lines = Repository.read(file).lines().count();
      all += lines;
      tools += TOOLS.contains(Repository.name(file).split("/")[0]) ? lines : 0;
    }
    assertTrue(3 * tools <= all, tools + " of " + all + " lines are tools");
  }

  @Test
  void everyPackageAnswersFiveQuestions() {
    Set<Path> packages = new TreeSet<>();
    Repository.mainSources().forEach(file -> packages.add(file.getParent()));
    assertFalse(packages.isEmpty());
    List<String> problems = new ArrayList<>();
    for (Path directory : packages) {
      Path info = directory.resolve("package-info.java");
      if (!Repository.mainSources().contains(info)) {
        problems.add(Repository.name(directory) + " has no package-info.java");
        continue;
      }
      String text = Repository.read(info);
      String words = text.replaceAll("\\s*\\n\\s*\\*?\\s*", " ");
      for (String answer : ANSWERS) {
        if (!words.contains(answer)) {
          problems.add(Repository.name(info) + " does not say '" + answer + "'");
        }
      }
      if (text.lines().filter(line -> line.startsWith(" *")).count() > PACKAGE_INFO_LINES_MAX) {
        problems.add(Repository.name(info) + " has more than " + PACKAGE_INFO_LINES_MAX + " lines");
      }
    }
    assertEquals("", String.join("\n", problems));
  }

  @Test
  void nobodyCatchesEverythingButTaskRunners() {
    List<String> found =
        marks(MarkKind.CATCH_OF_EVERYTHING).stream()
            .filter(where -> TASK_RUNNERS.stream().noneMatch(where::contains))
            .toList();
    assertEquals("", String.join("\n", found), "name what is caught, or let it through");
  }

  @Test
  void nothingLocksAMonitor() {
    assertEquals(List.of(), marks(MarkKind.SYNCHRONIZED_BLOCK), "use a private ReentrantLock");
  }

  @Test
  void everyLayoutOfAFileIsDescribedOnAFormatPage() {
    String pages =
        Repository.files(Repository.ROOT.resolve("docs/format"), ".md").stream()
            .map(Repository::read)
            .collect(Collectors.joining("\n"));
    List<String> missing =
        Repository.mainSources().stream()
            .filter(file -> file.getFileName().toString().endsWith("Layout.java"))
            .filter(file -> !file.getParent().endsWith("memory")) // no file holds these
            .map(file -> file.getFileName().toString().replace(".java", ""))
            .filter(name -> !pages.contains(name))
            .toList();
    assertEquals(List.of(), missing, "link them from a page of docs/format");
  }

  @Test
  void noLooseEndsWithoutAnIssue() {
    List<String> found = new ArrayList<>();
    for (Path file : Repository.mainSources()) {
      if (LOOSE_END.matcher(Repository.read(file)).find()) {
        found.add(Repository.name(file));
      }
    }
    assertEquals(List.of(), found, "do it, or open an issue and write its number: TODO #12");
  }

  private static List<String> marks(MarkKind kind) {
    return MAIN.stream()
        .flatMap(source -> source.marks().stream())
        .filter(mark -> mark.kind() == kind)
        .map(Mark::where)
        .toList();
  }
}
