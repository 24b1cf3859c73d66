package dev.varve.it.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaModifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Goal: what a program may use of the engine has a border. Method: the declarations of the modules
 * say what is exported, and the compiled classes how much that is and who goes around it.
 */
final class BorderTest {
  private static final int MOST_TYPES = 30;
  private static final Pattern EXPORTED_TO_ALL = Pattern.compile("exports ([\\w.]+);");

  /** Who reads a closed engine's files, or hands unsorted tuples to the sorter of the loads. */
  private static final String EXCEPTIONS =
      "dev\\.varve\\.(cli\\.command\\.(IndexNames|LogTail)"
          + "|hyracks\\.adapter\\.(EngineStores|PlaceLoad)).*";

  @Test
  void whatAProgramNeedsLiesInFourPackages() throws IOException {
    assertEquals(
        List.of(
            "dev.varve.dataset",
            "dev.varve.dataset.kind",
            "dev.varve.dataset.model",
            "dev.varve.dataset.options"),
        exported("lsm-dataset"));
  }

  @Test
  void anExportedPackageHasFewTypes() throws IOException {
    List<String> large = new ArrayList<>();
    for (String module : Repository.MODULES) {
      for (String name : exported(module)) {
        long types =
            Repository.mainClasses().stream()
                .filter(type -> type.getPackageName().equals(name))
                .filter(
                    type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                .count();
        assertTrue(types > 0, () -> name + " is exported and has no type");
        if (types > MOST_TYPES) {
          large.add(name + " has " + types);
        }
      }
    }
    assertEquals(List.of(), large);
  }

  @Test
  void nobodyUsesWhatIsInternalToAnotherModule() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.varve.dataset..")
        .and()
        .haveNameNotMatching(EXCEPTIONS)
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.varve.dataset.internal..")
        .check(Repository.mainClasses());
  }

  private static List<String> exported(String module) throws IOException {
    Path declaration = Repository.ROOT.resolve(module).resolve("src/main/module/module-info.java");
    List<String> names = new ArrayList<>();
    if (Files.exists(declaration)) {
      Matcher export = EXPORTED_TO_ALL.matcher(Files.readString(declaration));
      while (export.find()) {
        names.add(export.group(1));
      }
    }
    return names;
  }
}
