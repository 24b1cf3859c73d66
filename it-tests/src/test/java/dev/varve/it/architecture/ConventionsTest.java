package dev.varve.it.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noCodeUnits;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Goal: the rules of the house style that compiled classes show: names, hierarchies, locks, errors,
 * options and seams (rules 2, 4 to 6, 16 to 18, 20, 21). Method: ArchUnit over the main classes of
 * all modules.
 */
final class ConventionsTest {
  private static final Set<String> KINDS_OF_PACKAGES =
      Set.of(
          "api", "impl", "impls", "util", "utils", "helper", "helpers", "misc", "dataflow", "core");

  /** A prefix that says interface or base class, or a suffix that says nothing. */
  private static final Pattern EMPTY_NAME =
      Pattern.compile(
          "(I[A-Z][a-z].*|Abstract.*|Base[A-Z].*|NoOp.*"
              + "|.*(Impl|Manager|Util|Utils|Factory|Helper|Helpers))");

  private static final Set<String> GENERAL_EXCEPTIONS =
      Set.of("java.lang.Exception", "java.lang.Throwable", "java.io.IOException");

  private static final DescribedPredicate<JavaClass> DEMANDED_BY_HYRACKS =
      DescribedPredicate.describe(
          "implement a type of Hyracks",
          found ->
              found.getPackageName().startsWith("dev.varve.hyracks")
                  && found.getAllRawInterfaces().stream()
                      .map(JavaClass::getPackageName)
                      .anyMatch(name -> name.startsWith("org.apache.hyracks")));

  /** A kind of index is the format of its components, and more. */
  private static final DescribedPredicate<JavaClass> EXTENDED_BY_A_KIND =
      DescribedPredicate.describe(
          "be the format that a kind of index extends",
          type ->
              type.getSubclasses().stream()
                  .anyMatch(kind -> kind.getPackageName().equals("dev.varve.dataset.kind")));

  private static final DescribedPredicate<JavaClass> EXTENDED_BY_JMH =
      DescribedPredicate.describe(
          "hold the state of a benchmark",
          found -> found.isAnnotatedWith("org.openjdk.jmh.annotations.State"));

  @Test
  void aPackageIsAConceptAndNotAKind() {
    List<String> kinds =
        Repository.mainClasses().stream()
            .map(JavaClass::getPackageName)
            .distinct()
            .filter(name -> KINDS_OF_PACKAGES.contains(name.substring(name.lastIndexOf('.') + 1)))
            .toList();
    assertEquals(List.of(), kinds);
  }

  @Test
  void aNameSaysTheRoleAndTheQuality() {
    check(
        noClasses()
            .that(DescribedPredicate.not(DEMANDED_BY_HYRACKS))
            .should(
                new ArchCondition<JavaClass>("have a name that says nothing") {
                  @Override
                  public void check(JavaClass item, ConditionEvents events) {
                    boolean empty = EMPTY_NAME.matcher(item.getSimpleName()).matches();
                    events.add(new SimpleConditionEvent(item, empty, item.getName()));
                  }
                }));
  }

  @Test
  void nothingIsProtected() {
    check(noFields().should().beProtected());
  }

  @Test
  void hierarchiesOfOurOwnAreTwoDeepAtMost() {
    check(
        classes()
            .should(
                new ArchCondition<JavaClass>("have at most one superclass of the project") {
                  @Override
                  public void check(JavaClass item, ConditionEvents events) {
                    long own =
                        item.getAllRawSuperclasses().stream()
                            .filter(parent -> parent.getPackageName().startsWith("dev.varve"))
                            .count();
                    events.add(
                        new SimpleConditionEvent(item, own <= 1, item.getName() + " has " + own));
                  }
                }));
  }

  @Test
  void classesAreFinalUnlessTheyAreMadeToBeExtended() {
    check(
        classes()
            .that()
            .areNotInterfaces()
            .and()
            .areNotEnums()
            .and()
            .areNotAnonymousClasses()
            .and(DescribedPredicate.not(DEMANDED_BY_HYRACKS))
            .and(DescribedPredicate.not(EXTENDED_BY_JMH))
            .and(DescribedPredicate.not(EXTENDED_BY_A_KIND))
            .should()
            .haveModifier(JavaModifier.FINAL)
            .orShould()
            .haveModifier(JavaModifier.ABSTRACT));
  }

  @Test
  void nothingIsSynchronized() {
    check(noMethods().should().haveModifier(JavaModifier.SYNCHRONIZED));
  }

  @Test
  void locksArePrivateAndFinal() {
    check(
        fields()
            .that()
            .haveRawType(DescribedPredicate.describe("a lock", f -> f.isAssignableTo(Lock.class)))
            .should()
            .bePrivate()
            .andShould()
            .beFinal());
  }

  @Test
  void threadsAreMadeBehindTheSeamOnly() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage("dev.varve.common.env")
            .should()
            .beAssignableTo(Thread.class)
            .orShould()
            .callConstructor(Thread.class)
            .orShould()
            .callConstructor(Thread.class, Runnable.class)
            .orShould()
            .callConstructor(Thread.class, Runnable.class, String.class));
  }

  @Test
  void storageExceptionsAreOneFamilyInOnePlace() {
    check(
        classes()
            .that()
            .areAssignableTo("dev.varve.common.error.StorageException")
            .should()
            .resideInAPackage("dev.varve.common.error"));
    check(
        classes()
            .that()
            .areAssignableTo(Exception.class)
            .and()
            .areNotAssignableTo(RuntimeException.class)
            .and()
            .resideOutsideOfPackages(
                "dev.varve.hyracks..", "dev.varve.cli..", "dev.varve.benchmarks..")
            .should()
            .beAssignableTo("dev.varve.common.error.StorageException"));
  }

  /**
   * Private methods may let a library's exception through to where the class translates it, and the
   * bridges that javac makes repeat what a library's interface declares. The guard of a cluster's
   * ports overrides what the JDK's object streams declare. Parsers read a stream of the JDK, and
   * the one caller that they have translates, since it knows the stream's name.
   */
  @Test
  void signaturesNameTheirExceptions() {
    check(
        noCodeUnits()
            .that()
            .areNotPrivate()
            .and()
            .doNotHaveModifier(JavaModifier.BRIDGE)
            .and()
            .areDeclaredInClassesThat()
            .resideOutsideOfPackages("dev.varve.common.env")
            .and()
            .areDeclaredInClassesThat()
            .haveNameNotMatching(".*\\.(SerializationGuard.*|feed\\.\\w*Parser)")
            .should(
                new ArchCondition<JavaCodeUnit>("throw Exception, Throwable or IOException") {
                  @Override
                  public void check(JavaCodeUnit item, ConditionEvents events) {
                    item.getExceptionTypes().stream()
                        .map(JavaClass::getName)
                        .filter(GENERAL_EXCEPTIONS::contains)
                        .forEach(
                            name ->
                                events.add(
                                    SimpleConditionEvent.satisfied(
                                        item, item.getFullName() + " throws " + name)));
                  }
                }));
  }

  @Test
  void optionsAreRecords() {
    check(
        classes()
            .that()
            .haveSimpleNameEndingWith("Options")
            .and()
            .resideOutsideOfPackage("dev.varve.cli..")
            .should()
            .beRecords());
  }

  @Test
  void onlyTheSeamsOpenFiles() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages(
                "dev.varve.common.env",
                "dev.varve.cli..",
                "dev.varve.hyracks..",
                "dev.varve.benchmarks.store..")
            .should()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.nio.file.Files")
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.nio.ByteBuffer")
            .orShould()
            .dependOnClassesThat()
            .resideInAPackage("java.nio.channels.."));
  }

  /** The build exempts whatever wears an annotation of this name. */
  @Test
  void onlyTheSeamsAreExemptFromTheForbiddenList() {
    check(
        classes()
            .that()
            .haveSimpleName("SeamImplementation")
            .should()
            .resideInAPackage("dev.varve.common.env")
            .andShould()
            .bePackagePrivate());
    check(
        classes()
            .that()
            .haveSimpleName("FiltersSerialization")
            .should()
            .resideInAPackage("dev.varve.hyracks.node")
            .andShould()
            .bePackagePrivate());
  }

  private static void check(ArchRule rule) {
    rule.allowEmptyShould(true).check(Repository.mainClasses());
  }
}
