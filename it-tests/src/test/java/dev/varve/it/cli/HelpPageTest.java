package dev.varve.it.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.benchmarks.BenchCommand;
import dev.varve.cli.VarveCommand;
import dev.varve.report.Console;
import dev.varve.report.command.Program;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Goal: the script shows help without a build, and it is the help of the commands. Method: {@code
 * docs/help.txt} is compared with what the commands say; {@code -Dvarve.rewrite=true} writes it
 * anew. The script runs in a directory where nothing is built, with a Maven and a Java that fail.
 */
final class HelpPageTest {
  private static final Path PAGE = Repository.ROOT.resolve("docs/help.txt");

  @TempDir Path directory;

  @Test
  void thePageHasTheHelpOfEveryCommand() throws IOException {
    StringBuilder page = new StringBuilder();
    Program varve = new Program(VarveCommand::commands, List.of());
    Program bench = new Program(BenchCommand::commands, List.of());
    List<List<String>> names = new ArrayList<>();
    addNames(names, List.of(), tree(VarveCommand::commands));
    assertTrue(names.size() > 25, names::toString);
    for (List<String> name : names) {
      if (name.equals(List.of("bench")) || name.equals(List.of("reproduce"))) {
        List<List<String>> below = new ArrayList<>();
        addNames(below, name, tree(BenchCommand::commands).getSubcommands().get(name.get(0)));
        below.forEach(each -> add(page, bench, each));
      } else {
        add(page, varve, name);
      }
    }
    if (Boolean.getBoolean("varve.rewrite")) {
      Files.writeString(PAGE, page.toString());
    }
    assertEquals(
        page.toString(),
        Repository.read("docs/help.txt"),
        "docs/help.txt is old; run this test with -Dvarve.rewrite=true");
  }

  private static CommandLine tree(
      Function<dev.varve.report.command.CommandContext, CommandLine> commands) {
    List<CommandLine> made = new ArrayList<>();
    Program program =
        new Program(
            context -> {
              made.add(commands.apply(context));
              return made.get(0);
            },
            List.of());
    StringWriter nowhere = new StringWriter();
    program.run(new Console(new PrintWriter(nowhere), new PrintWriter(nowhere)), "--version");
    return made.get(0);
  }

  private static void addNames(List<List<String>> names, List<String> name, CommandLine command) {
    names.add(name);
    for (Map.Entry<String, CommandLine> below : command.getSubcommands().entrySet()) {
      List<String> longer = new ArrayList<>(name);
      longer.add(below.getKey());
      addNames(names, longer, below.getValue());
    }
  }

  private static void add(StringBuilder page, Program program, List<String> name) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    List<String> arguments = new ArrayList<>(name);
    arguments.add("--help");
    // What cannot be formatted is said past the console.
    PrintStream before = System.err;
    ByteArrayOutputStream warned = new ByteArrayOutputStream();
    int exitCode;
    System.setErr(new PrintStream(warned, true, StandardCharsets.UTF_8));
    try {
      exitCode =
          program.run(
              new Console(new PrintWriter(out), new PrintWriter(err)),
              arguments.toArray(new String[0]));
    } finally {
      System.setErr(before);
    }
    assertEquals(0, exitCode, () -> name + ": " + err);
    assertEquals("", err + warned.toString(StandardCharsets.UTF_8));
    out.toString().lines().forEach(line -> assertTrue(line.length() <= 80, line));
    page.append("== ").append(String.join(" ", concat("varve", name))).append('\n');
    page.append(out.toString().replace("\r", ""));
  }

  private static List<String> concat(String first, List<String> others) {
    List<String> all = new ArrayList<>(List.of(first));
    all.addAll(others);
    return all;
  }

  private String script(String... arguments) throws Exception {
    Files.createDirectories(directory.resolve("docs"));
    Path script = directory.resolve("varve");
    if (!Files.exists(script)) {
      Files.copy(Repository.ROOT.resolve("varve"), script);
      Files.copy(PAGE, directory.resolve("docs/help.txt"));
    }
    List<String> command = new ArrayList<>(List.of("bash", script.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("JAVA_HOME", directory.resolve("no-java").toString());
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
    return said;
  }

  @Test
  void theScriptShowsHelpWhereNothingIsBuilt() throws Exception {
    assertTrue(script("--help").startsWith("Usage: varve ["));
    assertTrue(script("bench", "--help").startsWith("Usage: varve bench ["));
    assertTrue(script("bench", "kv", "--n", "5", "-h").startsWith("Usage: varve bench kv ["));
    assertTrue(script("--progress=none", "get", "--help").startsWith("Usage: varve get ["));
    assertTrue(script("reproduce", "--progress", "bar", "--help").contains("Usage: varve repro"));
    assertTrue(script("ycsb", "--help").contains("-threads N"));
    assertFalse(Files.exists(directory.resolve("cli")));
  }
}
