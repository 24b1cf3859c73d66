package dev.varve.it.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.page.ComponentOptions;
import dev.varve.dataset.model.RecordLimits;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.dataset.options.MemoryOptions;
import dev.varve.dataset.options.MergePolicyOptions;
import dev.varve.dataset.options.OpeningOptions;
import dev.varve.dataset.options.SessionOptions;
import dev.varve.scheduler.service.MaintenanceOptions;
import dev.varve.transaction.log.LogOptions;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: the documents say what is. Method: read them and compare with poms, records and sources.
 */
final class DocumentationTest {
  private static final Pattern BUILD_ENTRY =
      Pattern.compile(
          "<(?:dependency|plugin|path)>\\s*(?:<!--.*?-->\\s*)?"
              + "<groupId>([^<]+)</groupId>\\s*<artifactId>([^<]+)</artifactId>",
          Pattern.DOTALL);
  private static final Pattern TABLE_ENTRY = Pattern.compile("(?m)^\\| `([a-z][^`]*:[^`]+)` \\|");
  private static final Pattern OPTION_ENTRY = Pattern.compile("(?m)^\\| `([A-Za-z]+)` \\|");

  @Test
  void everyDependencyHasItsReason() throws IOException {
    Set<String> inPoms = new TreeSet<>();
    for (Path pom : Repository.poms()) {
      Matcher matcher = BUILD_ENTRY.matcher(Files.readString(pom));
      while (matcher.find()) {
        if (!matcher.group(1).equals("dev.varve")) {
          inPoms.add(matcher.group(1) + ":" + matcher.group(2));
        }
      }
    }
    Set<String> documented = new TreeSet<>();
    Matcher matcher = TABLE_ENTRY.matcher(Repository.read("docs/DEPENDENCIES.md"));
    while (matcher.find()) {
      assertTrue(documented.add(matcher.group(1)), "twice: " + matcher.group(1));
    }
    assertEquals(String.join("\n", inPoms), String.join("\n", documented));
  }

  @Test
  void everyOptionIsDescribed() throws IOException {
    String page = Repository.read("docs/OPTIONS.md");
    for (Class<?> options :
        List.of(
            EngineOptions.class,
            ComponentOptions.class,
            MemoryOptions.class,
            LogOptions.class,
            MaintenanceOptions.class,
            SessionOptions.class,
            OpeningOptions.class,
            RecordLimits.class,
            DatasetOptions.class,
            KeyValueOptions.class,
            MergePolicyOptions.class)) {
      int heading = page.indexOf("`" + options.getSimpleName() + "`\n");
      assertTrue(heading > 0, options.getSimpleName());
      int end = page.indexOf("\n## ", heading);
      String section = page.substring(heading, end < 0 ? page.length() : end);
      Set<String> documented = new TreeSet<>();
      Matcher matcher = OPTION_ENTRY.matcher(section);
      while (matcher.find()) {
        documented.add(matcher.group(1));
      }
      assertEquals(components(options), documented, options.getSimpleName());
    }
  }

  /** Those of records inside of it in their place. */
  private static Set<String> components(Class<?> options) {
    Set<String> components = new TreeSet<>();
    for (RecordComponent component : options.getRecordComponents()) {
      Class<?> type = component.getType();
      if (type.isRecord() && type.getEnclosingClass() == options) {
        components.addAll(components(type));
      } else {
        components.add(component.getName());
      }
    }
    return components;
  }

  @Test
  void linksLeadToFiles() throws IOException {
    Pattern link = Pattern.compile("\\]\\(([^)#:]+)(?:#[^)]*)?\\)");
    for (String page : Repository.documents()) {
      Path folder = Repository.ROOT.resolve(page).getParent();
      Matcher matcher = link.matcher(Repository.read(page));
      while (matcher.find()) {
        assertTrue(Files.exists(folder.resolve(matcher.group(1))), page + ": " + matcher.group(1));
      }
    }
  }

  @Test
  void thePageOnPerformanceIsShort() throws IOException {
    int words = Repository.read("docs/PERFORMANCE.md").split("\\s+").length;
    assertTrue(words <= 1500, words + " words; what was tried belongs to docs/lab");
  }

  @Test
  void linesOfDocumentsHaveAtMost120CharactersBesideTablesAndCode() throws IOException {
    List<String> tooLong = new ArrayList<>();
    for (String page : Repository.documents()) {
      boolean code = false;
      int number = 0;
      for (String line : Repository.read(page).lines().toList()) {
        number++;
        code ^= line.strip().startsWith("```");
        boolean mayBeLong = code || line.startsWith("|") || line.startsWith("    ");
        if (!mayBeLong && line.length() > 120) {
          tooLong.add(page + ":" + number);
        }
      }
    }
    assertEquals(List.of(), tooLong);
  }

  @Test
  void sourceFilesThatArchitectureNamesExist() throws IOException {
    Matcher matcher =
        Pattern.compile(
                "`((?:lsm-|transaction-log|report|simulator|tweets|cli|it-tests)[a-z-]*/[^`]+\\.java)`")
            .matcher(Repository.read("docs/ARCHITECTURE.md"));
    int named = 0;
    while (matcher.find()) {
      assertTrue(Files.exists(Repository.ROOT.resolve(matcher.group(1))), matcher.group(1));
      named++;
    }
    assertTrue(named >= 10, "stops named: " + named);
  }

  @ParameterizedTest
  @ValueSource(strings = {"EmbeddingExample", "TransactionExample"})
  void readmeShowsTheExampleThatIsRun(String name) throws IOException {
    String source = Repository.read("it-tests/src/test/java/dev/varve/it/cli/" + name + ".java");
    String example =
        source
            .substring(source.indexOf("// begin\n") + 9, source.indexOf("\n  // end"))
            .stripTrailing()
            .stripIndent()
            .strip();
    assertTrue(Repository.read("README.md").contains("```java\n" + example + "\n```"), name);
  }
}
