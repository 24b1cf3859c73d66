package dev.varve.it.cli;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The files of this repository, for tests that hold documents against sources. */
final class Repository {
  /** Tests run in their module's directory. */
  static final Path ROOT = Path.of("").toAbsolutePath().getParent();

  private Repository() {}

  static String read(String path) throws IOException {
    Path file = ROOT.resolve(path);
    assertTrue(Files.exists(file), file::toString);
    return Files.readString(file);
  }

  /** The documents by their paths: those of the root and all below docs. */
  static List<String> documents() throws IOException {
    List<String> documents =
        new ArrayList<>(List.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md"));
    try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
      files
          .map(file -> ROOT.relativize(file).toString())
          .filter(file -> file.endsWith(".md"))
          .sorted()
          .forEach(documents::add);
    }
    return documents;
  }

  /** The poms of the root and of every module. */
  static List<Path> poms() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT, 2)) {
      return files
          .filter(file -> file.getFileName().toString().equals("pom.xml"))
          .sorted()
          .collect(Collectors.toList());
    }
  }
}
