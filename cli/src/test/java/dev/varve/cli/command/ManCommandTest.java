package dev.varve.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.cli.VarveCommand;
import dev.varve.report.Console;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Goal: the manual page and the completion script know every command. */
final class ManCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return VarveCommand.run(new Console(new PrintWriter(out), new PrintWriter(err)), arguments);
  }

  @Test
  void theManualPageHasEveryCommand() {
    assertEquals(0, run("man"), err::toString);
    List<String> lines = out.toString().lines().toList();
    assertEquals(".TH \"varve\" 1", lines.get(0));
    for (String command : List.of("get", "find", "cluster start", "bench", "shell", "man")) {
      assertTrue(lines.contains(".SH \"varve " + command + "\""), command);
    }
    assertTrue(lines.stream().allMatch(line -> line.length() <= 120), out::toString);
    assertEquals(
        out.toString().split("\n\\.nf\n", -1).length, out.toString().split("\n\\.fi\n", -1).length);
  }

  @Test
  void textIsNoRequestOfRoff() {
    assertEquals("a\n\\&.b \\e\\-c\n\\&'d", ManCommand.text("a\n.b \\-c\n'd"));
  }

  @Test
  void theScriptCompletesCommandsAndOptions() {
    assertEquals(0, run("completion", "bash"), err::toString);
    String script = out.toString();
    for (String word : List.of("complete -F", "ingest", "--keep-going", "--progress")) {
      assertTrue(script.contains(word), word);
    }
    assertFalse(script.contains("--terminal"), "what is hidden is no use to anybody");
    assertEquals(2, run("completion", "fish"));
    assertTrue(err.toString().contains("BASH, ZSH"), err::toString);
  }
}
