package dev.varve.it.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Goal: "may I write now, and if not, why and for how long" is answered in one package with one
 * entry. Method: ArchUnit over the compiled main classes of all modules.
 */
final class AdmissionTest {
  private static final String PACKAGE = "dev.varve.scheduler.admission";
  private static final String ENTRY = PACKAGE + ".WriteAdmission";
  private static final int MOST_TYPES = 16;

  /** What the entry is called for, and the writers that call it. */
  private static final Map<String, Set<String>> WRITERS =
      Map.of(
          "admits", Set.of("SessionWriter", "RangeDeleter"),
          "hasRoomFor", Set.of("TransactionWriter"),
          "await", Set.of("SessionWriter", "NodeTransaction", "RangeDeleter"));

  /** Types of the package with locks, threads or a clock; all others are values. */
  private static final Set<String> STATEFUL =
      Set.of("WriteAdmission", "NodeAdmission", "WriteBuffer", "MemoryPool", "StallRecorder");

  /** Types elsewhere with a name like one of the package, and why they do not answer. */
  private static final Map<String, String> ELSEWHERE =
      Map.of(
          "dev.varve.scheduler.watch.StallWatch", "checks what waits for what",
          "dev.varve.dataset.StallWatcher", "the thread that has StallWatch check",
          "dev.varve.scheduler.tuner.StallClass", "ADOC's classes of waits",
          "dev.varve.simulator.reproduction.AdocStallFigures", "figures of that paper",
          "dev.varve.cli.command.GateArgument", "reads a gate from the command line");

  @Test
  void thePackageHasAFewTypesAndTheEntry() {
    Set<String> types = topLevel(found -> found.getPackageName().equals(PACKAGE));
    assertTrue(types.contains(ENTRY), () -> ENTRY + " is not among " + types);
    assertTrue(types.size() <= MOST_TYPES, () -> types.size() + " types: " + types);
  }

  @Test
  void onlyWritersAskTheEntry() {
    WRITERS.forEach(
        (method, writers) ->
            assertEquals(
                new TreeSet<>(writers),
                callers(
                    call ->
                        call.getTargetOwner().getName().equals(ENTRY)
                            && call.getTarget().getName().equals(method)),
                method));
  }

  /** The simulator makes the same decisions in virtual time, without the entry's waiting. */
  @Test
  void nothingElseAsksAGateOrRecordsAWait() {
    assertEquals(
        Set.of("Simulation"),
        callers(
            call ->
                call.getTargetOwner().isAssignableTo(PACKAGE + ".WriteGate")
                    && call.getTarget().getName().equals("decide")));
    assertEquals(
        Set.of("Simulation"),
        callers(
            call ->
                call.getTargetOwner().getName().equals(PACKAGE + ".StallRecorder")
                    && call.getTarget().getName().equals("begin")));
  }

  @Test
  void noTypeElsewhereIsAGate() {
    noClasses()
        .that()
        .resideOutsideOfPackage(PACKAGE)
        .should()
        .implement(PACKAGE + ".WriteGate")
        .check(Repository.mainClasses());
  }

  @Test
  void noTypeElsewhereHasANameLikeOneOfThePackage() {
    assertEquals(
        new TreeSet<>(ELSEWHERE.keySet()),
        topLevel(
            found ->
                !found.getPackageName().equals(PACKAGE)
                    && found.getSimpleName().matches(".*(Gate|Stall|Admission|Obstacle).*")));
  }

  @Test
  void whatIsDecidedByIsPure() {
    noClasses()
        .that(
            DescribedPredicate.describe(
                "are values of " + PACKAGE,
                found ->
                    found.getPackageName().equals(PACKAGE)
                        && !STATEFUL.contains(simpleName(topLevel(found)))))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "dev.varve.common.env..",
            "dev.varve.common.index..",
            "java.util.concurrent..",
            "java.nio..")
        .as("what writers are let in by sees no clock, no thread, no lock, no file, no index")
        .check(Repository.mainClasses());
  }

  /** Simple names of the top-level classes outside of the package that make such a call. */
  private static Set<String> callers(Predicate<JavaMethodCall> asked) {
    return Repository.mainClasses().stream()
        .filter(found -> !found.getPackageName().equals(PACKAGE))
        .filter(found -> found.getMethodCallsFromSelf().stream().anyMatch(asked))
        .map(found -> simpleName(topLevel(found)))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> topLevel(Predicate<JavaClass> wanted) {
    return Repository.mainClasses().stream()
        .filter(found -> found.getName().equals(topLevel(found)))
        .filter(found -> !found.getSimpleName().equals("package-info"))
        .filter(wanted)
        .map(JavaClass::getName)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String topLevel(JavaClass found) {
    int nested = found.getName().indexOf('$');
    return nested < 0 ? found.getName() : found.getName().substring(0, nested);
  }

  private static String simpleName(String name) {
    return name.substring(name.lastIndexOf('.') + 1);
  }
}
