package dev.varve.it.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Goal: arrows between modules, packages and libraries go one way (design.md, section 1; rules 1
 * and 9 of the house style). Method: ArchUnit over the compiled main classes of all modules.
 */
final class ArrowsTest {
  private static final String COMMON = "dev.varve.common";

  /** The packages of the kernel; each may use those to its left. */
  private static final List<String> KERNEL =
      List.of(
          "error",
          "bytes",
          "env",
          "page",
          "filter",
          "component",
          "merge",
          "maintenance",
          "format",
          "disk",
          "index");

  /** Package roots of each module, and which of the project's packages it may use. */
  private static final Map<String, List<String>> MODULES = new LinkedHashMap<>();

  static {
    MODULES.put(COMMON, List.of());
    MODULES.put("dev.varve.btree", List.of(COMMON));
    MODULES.put("dev.varve.rtree", List.of(COMMON, "dev.varve.btree"));
    MODULES.put("dev.varve.invertedindex", List.of(COMMON, "dev.varve.btree"));
    MODULES.put("dev.varve.scheduler", List.of(COMMON));
    MODULES.put("dev.varve.examples", List.of(COMMON, "dev.varve.btree", "dev.varve.dataset"));
    MODULES.put(
        "dev.varve.transaction", List.of(COMMON + ".error", COMMON + ".bytes", COMMON + ".env"));
    MODULES.put(
        "dev.varve.dataset",
        List.of(
            COMMON,
            "dev.varve.btree",
            "dev.varve.rtree",
            "dev.varve.invertedindex",
            "dev.varve.scheduler",
            "dev.varve.transaction"));
    MODULES.put(
        "dev.varve.hyracks",
        List.of(
            COMMON,
            "dev.varve.btree",
            "dev.varve.rtree",
            "dev.varve.invertedindex",
            "dev.varve.dataset"));
    MODULES.put("dev.varve.report", List.of(COMMON + ".error", COMMON + ".env"));
    MODULES.put(
        "dev.varve.simulator",
        List.of(COMMON, "dev.varve.scheduler", "dev.varve.transaction.log", "dev.varve.dataset"));
    MODULES.put("dev.varve.tweets", List.of(COMMON + ".bytes", "dev.varve.hyracks.feed"));
    MODULES.put(
        "dev.varve.cli",
        List.of(
            COMMON,
            "dev.varve.btree",
            "dev.varve.rtree",
            "dev.varve.invertedindex",
            "dev.varve.scheduler",
            "dev.varve.transaction",
            "dev.varve.dataset",
            "dev.varve.hyracks",
            "dev.varve.report",
            "dev.varve.simulator",
            "dev.varve.tweets"));
    MODULES.put(
        "dev.varve.ycsb",
        List.of(
            COMMON,
            "dev.varve.btree",
            "dev.varve.scheduler",
            "dev.varve.transaction",
            "dev.varve.dataset"));
    // Not the command: peers' jars never get onto its class path.
    MODULES.put(
        "dev.varve.benchmarks",
        List.of(
            COMMON,
            "dev.varve.btree",
            "dev.varve.rtree",
            "dev.varve.invertedindex",
            "dev.varve.scheduler",
            "dev.varve.transaction",
            "dev.varve.dataset",
            "dev.varve.report",
            "dev.varve.simulator",
            "dev.varve.ycsb"));
  }

  /** Libraries that only some modules may see. */
  private static final Map<String, Set<String>> LIBRARIES =
      Map.ofEntries(
          Map.entry(
              "org.apache.hyracks",
              Set.of(
                  "dev.varve.hyracks",
                  "dev.varve.benchmarks.store",
                  "dev.varve.benchmarks.index",
                  "dev.varve.benchmarks.spatial",
                  "dev.varve.benchmarks.text")),
          Map.entry(
              "org.rocksdb", Set.of("dev.varve.benchmarks.store", "dev.varve.benchmarks.ycsb")),
          Map.entry("org.lmdbjava", Set.of("dev.varve.benchmarks.store")),
          Map.entry("org.h2", Set.of("dev.varve.benchmarks.store")),
          Map.entry(
              "org.apache.lucene",
              Set.of(
                  "dev.varve.benchmarks.index",
                  "dev.varve.benchmarks.spatial",
                  "dev.varve.benchmarks.text")),
          Map.entry(
              "site.ycsb",
              Set.of("dev.varve.ycsb", "dev.varve.benchmarks.ycsb", "dev.varve.benchmarks.adoc")),
          Map.entry("org.locationtech.jts", Set.of("dev.varve.benchmarks.spatial")),
          Map.entry("org.openjdk.jmh", Set.of("dev.varve.benchmarks.jmh")),
          Map.entry(
              "picocli",
              Set.of("dev.varve.report.command", "dev.varve.cli", "dev.varve.benchmarks")),
          Map.entry("me.tongfei.progressbar", Set.of("dev.varve.report")),
          Map.entry("org.jline", Set.of("dev.varve.cli.shell")),
          // Hyracks' own interfaces for persisted resources speak JsonNode.
          Map.entry(
              "com.fasterxml.jackson.databind",
              Set.of(
                  "dev.varve.report",
                  "dev.varve.cli",
                  "dev.varve.hyracks",
                  "dev.varve.benchmarks")),
          Map.entry(
              "com.fasterxml.jackson.core",
              Set.of(
                  "dev.varve.report",
                  "dev.varve.cli",
                  "dev.varve.hyracks",
                  "dev.varve.dataset",
                  "dev.varve.benchmarks")));

  static Stream<String> modules() {
    return MODULES.keySet().stream();
  }

  static Stream<String> libraries() {
    return LIBRARIES.keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("modules")
  void aModuleUsesOnlyWhatIsBelowIt(String module) {
    List<String> allowed = new ArrayList<>(MODULES.get(module));
    allowed.add(module);
    check(
        noClasses()
            .that(resideBelow(List.of(module)))
            .should()
            .dependOnClassesThat(
                resideBelow(List.of("dev.varve")).and(DescribedPredicate.not(resideBelow(allowed))))
            .as(module + " uses nothing of the project but " + MODULES.get(module)));
  }

  @ParameterizedTest
  @MethodSource("libraries")
  void aLibraryIsSeenOnlyWhereItBelongs(String library) {
    check(
        noClasses()
            .that(DescribedPredicate.not(resideBelow(List.copyOf(LIBRARIES.get(library)))))
            .should()
            .dependOnClassesThat(resideBelow(List.of(library)))
            .as("only " + LIBRARIES.get(library) + " may see " + library));
  }

  @Test
  void everyPackageBelongsToAModule() {
    check(
        classes()
            .should()
            .resideInAnyPackage(
                MODULES.keySet().stream().map(root -> root + "..").toArray(String[]::new)));
  }

  /** Otherwise every rule below would hold for want of classes. */
  @Test
  void theClassesOfEveryModuleAreSeen() {
    for (String root : MODULES.keySet()) {
      assertTrue(
          Repository.mainClasses().stream()
              .anyMatch(found -> (found.getPackageName() + ".").startsWith(root + ".")),
          root + " has no compiled classes");
    }
  }

  static Stream<String> kernelPackages() {
    return KERNEL.stream();
  }

  @ParameterizedTest
  @MethodSource("kernelPackages")
  void aPackageOfTheKernelUsesOnlyThoseBeforeIt(String name) {
    List<String> later =
        KERNEL.subList(KERNEL.indexOf(name) + 1, KERNEL.size()).stream()
            .map(other -> COMMON + "." + other)
            .toList();
    check(
        noClasses()
            .that(resideBelow(List.of(COMMON + "." + name)))
            .should()
            .dependOnClassesThat(resideBelow(later))
            .as("in " + COMMON + ": " + String.join(" <- ", KERNEL)));
  }

  @Test
  void theKernelHasNoOtherPackages() {
    List<String> found =
        Repository.mainClasses().stream()
            .map(JavaClass::getPackageName)
            .filter(name -> name.startsWith(COMMON))
            .distinct()
            .filter(name -> !KERNEL.contains(name.substring(COMMON.length() + 1)))
            .toList();
    assertEquals(List.of(), found);
  }

  @Test
  void packagesHaveNoCycles() {
    check(slices().matching("dev.varve.(**)").should().beFreeOfCycles());
  }

  @Test
  void decisionsArePure() {
    check(
        classes()
            .that(
                resideBelow(
                    List.of("dev.varve.scheduler.policy", "dev.varve.scheduler.scheduling")))
            .should()
            .onlyDependOnClassesThat(
                resideIn(
                    List.of(
                        "java.lang",
                        "java.lang.runtime",
                        "java.lang.invoke",
                        "java.util",
                        "java.util.function",
                        "java.util.regex",
                        "java.util.stream",
                        "org.jspecify.annotations",
                        COMMON + ".component",
                        COMMON + ".merge",
                        COMMON + ".maintenance",
                        "dev.varve.scheduler.policy",
                        "dev.varve.scheduler.scheduling")))
            .as("policies and schedulers see no clock, no thread, no lock, no file"));
    check(
        noClasses()
            .that()
            .haveFullyQualifiedName("dev.varve.scheduler.budget.BudgetState")
            .should()
            .dependOnClassesThat(
                resideBelow(List.of(COMMON + ".env", "java.util.concurrent", "java.nio")))
            .as("budget states see no clock, no thread, no lock, no file"));
  }

  private static void check(ArchRule rule) {
    rule.allowEmptyShould(true).check(Repository.mainClasses());
  }

  private static DescribedPredicate<JavaClass> resideBelow(List<String> roots) {
    return DescribedPredicate.describe(
        "reside below " + roots,
        found ->
            roots.stream()
                .anyMatch(
                    root ->
                        found.getPackageName().equals(root)
                            || found.getPackageName().startsWith(root + ".")));
  }

  private static DescribedPredicate<JavaClass> resideIn(List<String> packages) {
    return DescribedPredicate.describe(
        "reside in " + packages,
        found ->
            found.isPrimitive() || found.isArray() || packages.contains(found.getPackageName()));
  }
}
