package dev.varve.it.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: the engine is a module: a program that requires {@code dev.varve.dataset} and nothing else
 * compiles and runs on the module path, with every kind of index, and sees what is exported only.
 * Method: the README's example as a module, compiled here, run by a JVM of its own over the jars
 * that were just packaged.
 */
final class ModulePathTest {
  /** What the engine is made of and needs, by the beginnings of the jars' names. */
  private static final List<String> JARS =
      List.of(
          "lsm-common-",
          "lsm-btree-",
          "lsm-rtree-",
          "lsm-invertedindex-",
          "lsm-scheduler-",
          "transaction-log-",
          "lsm-dataset-",
          "jackson-core-2",
          "log4j-api-",
          "RoaringBitmap-");

  private static final String DECLARATION = "module example { requires dev.varve.dataset; }";

  @TempDir Path temporary;

  private String modulePath = "";

  @BeforeEach
  void findJars() {
    List<String> found = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      String name = String.valueOf(Path.of(entry).getFileName());
      if (name.endsWith(".jar")
          && !name.endsWith("-tests.jar")
          && JARS.stream().anyMatch(name::startsWith)) {
        found.add(entry);
      }
    }
    assumeTrue(found.size() >= JARS.size(), "Maven makes jars from the phase 'package' on");
    assertEquals(JARS.size(), found.size(), found::toString);
    modulePath = String.join(File.pathSeparator, found);
  }

  @Test
  void theExampleRunsAsAModule() throws Exception {
    String example =
        Repository.read("it-tests/src/test/java/dev/varve/it/cli/EmbeddingExample.java")
            .replace("package dev.varve.it.cli;", "package example;");
    String main =
        """
        package example;

        import dev.varve.dataset.options.*;
        import dev.varve.dataset.*;
        import java.nio.charset.StandardCharsets;
        import java.nio.file.Path;
        import java.util.stream.Stream;

        public final class Main {
          public static void main(String[] arguments) throws Exception {
            EmbeddingExample.run(Path.of(arguments[0]));
            try (StorageEngine engine = StorageEngine.open(Path.of(arguments[1]))) {
              Dataset places =
                  engine.createDataset(
                      DatasetOptions.of("places", "id")
                          .withIndexes(
                              Stream.of("name", "rtree:at", "keyword:says", "ngram3:says")
                                  .map(IndexDefinition::parse)
                                  .toList()));
              places.upsert(
                  "{\\"id\\":1,\\"name\\":\\"a\\",\\"at\\":[1,2],\\"says\\":\\"two words\\"}"
                      .getBytes(StandardCharsets.UTF_8));
              System.out.println(engine.verify().clean());
            }
          }
        }
        """;
    assertEquals("", compile(example, main));
    assertEquals(
        """
        {"id": 3, "name": "Grace", "address": {"city": "New York"}}
        {"id": 1, "name": "Ada", "address": {"city": "London"}}
        {"id": 2, "name": "Alan", "address": {"city": "London"}}
        true
        """,
        run());
  }

  @Test
  void whatIsNotExportedDoesNotCompile() throws Exception {
    String said =
        compile(
            "package example; final class Inside { dev.varve.common.disk.DiskComponent<?> it; }");
    assertTrue(said.contains("dev.varve.common.disk"), said);
  }

  /** Compiles sources of the module; what the compiler says. */
  private String compile(String... sources) throws IOException {
    Path source = Files.createDirectories(temporary.resolve("source/example"));
    Files.writeString(source.resolveSibling("module-info.java"), DECLARATION);
    for (String text : sources) {
      String name = text.replaceAll("(?s).*?final class (\\w+).*", "$1");
      Files.writeString(source.resolve(name + ".java"), text);
    }
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("-d", temporary.resolve("classes").toString(), "-p", modulePath));
    try (Stream<Path> files = Files.walk(source.getParent())) {
      files.filter(Files::isRegularFile).map(Path::toString).forEach(arguments::add);
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter said = new StringWriter();
    boolean compiled =
        compiler
            .getTask(
                said,
                null,
                null,
                arguments.subList(0, 4),
                null,
                compiler
                    .getStandardFileManager(null, null, null)
                    .getJavaFileObjectsFromStrings(arguments.subList(4, arguments.size())))
            .call();
    assertEquals(compiled, said.toString().lines().noneMatch(line -> line.contains("error:")));
    return compiled ? "" : said.toString();
  }

  private String run() throws Exception {
    Path out = temporary.resolve("out");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-p",
                modulePath + File.pathSeparator + temporary.resolve("classes"),
                "-m",
                "example/example.Main",
                temporary.resolve("people").toString(),
                temporary.resolve("places").toString())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    assertEquals(0, process.waitFor(), () -> text(out));
    return text(out)
        .lines()
        .filter(line -> !line.contains("Log4j"))
        .collect(Collectors.joining("\n", "", "\n"));
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
