package dev.varve.it.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The project as files: its modules, their sources and their compiled classes. */
final class Repository {
  static final Path ROOT = findRoot();

  /** The modules in the order of the reactor. */
  static final List<String> MODULES =
      Pattern.compile("<module>([^<]+)</module>")
          .matcher(read(ROOT.resolve("pom.xml")))
          .results()
          .map((MatchResult match) -> match.group(1))
          .toList();

  private Repository() {}

  private static Path findRoot() {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.exists(directory.resolve("config/ratchet.txt"))) {
      directory = directory.getParent();
      if (directory == null) {
        throw new IllegalStateException("the tests run outside of the repository");
      }
    }
    return directory;
  }

  /** The compiled main classes of all modules, without what JMH generates; read once. */
  static JavaClasses mainClasses() {
    return MainClasses.ALL;
  }

  private static final class MainClasses {
    static final JavaClasses ALL =
        new ClassFileImporter()
            .withImportOption(location -> !location.contains("/jmh_generated/"))
            .importPaths(
                MODULES.stream()
                    .map(module -> ROOT.resolve(module).resolve("target/classes"))
                    .filter(Files::isDirectory)
                    .toList());
  }

  static List<Path> mainSources() {
    return sources("src/main/java");
  }

  static List<Path> testSources() {
    return sources("src/test/java");
  }

  private static List<Path> sources(String folder) {
    return MODULES.stream()
        .map(module -> ROOT.resolve(module).resolve(folder))
        .filter(Files::isDirectory)
        .flatMap(path -> files(path, ".java").stream())
        .toList();
  }

  /** Files below a directory by the end of their name, sorted. */
  static List<Path> files(Path directory, String suffix) {
    try (Stream<Path> paths = Files.walk(directory)) {
      return paths
          .filter(path -> path.toString().endsWith(suffix) && Files.isRegularFile(path))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A path as reports name it. */
  static String name(Path file) {
    return ROOT.relativize(file).toString();
  }
}
