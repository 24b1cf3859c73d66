package dev.varve.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.report.Console;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Goal: the one command that a process makes is the one that is asked for. */
final class VarveCommandTest {
  private static String said(String... arguments) {
    StringWriter said = new StringWriter();
    PrintWriter both = new PrintWriter(said);
    int exitCode = VarveCommand.run(new Console(both, both), arguments);
    assertTrue(exitCode == 0 || exitCode == 2, () -> exitCode + ": " + said);
    return said.toString();
  }

  @Test
  void theCommandStandsFirstOrBehindHowProgressIsShown() {
    assertEquals(Optional.of("get"), VarveCommand.named("get", "--dir", "find"));
    assertEquals(Optional.of("get"), VarveCommand.named("--progress", "bar", "get"));
    assertEquals(
        Optional.of("shell"), VarveCommand.named("--terminal=80", "--progress=bar", "shell"));
    assertEquals(Optional.empty(), VarveCommand.named("--progress", "get"));
    assertEquals(Optional.empty(), VarveCommand.named("--help", "get"));
    assertEquals(Optional.empty(), VarveCommand.named("gett"));
    assertEquals(Optional.empty(), VarveCommand.named());
  }

  @Test
  void helpSuggestionsAndPagesKnowAllCommands() {
    for (String line : new String[] {"--help", "--help get", "man", "completion bash"}) {
      String said = said(line.split(" "));
      assertTrue(said.contains("verify") && said.contains("shell"), said);
    }
    assertTrue(said("verfy").contains("verify"), said("verfy"));
    assertTrue(said("get", "--help").startsWith("Usage: varve get"), said("get", "--help"));
  }
}
