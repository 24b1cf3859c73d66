package dev.varve.it.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.varve.cli.VarveCommand;
import dev.varve.report.Console;
import java.io.PrintWriter;
import java.io.StringWriter;

/**
 * A command that ran in this process.
 *
 * @param exitCode what the process would have ended with
 * @param out what it printed to stdout
 * @param err what it printed to stderr
 */
public record CommandRun(int exitCode, String out, String err) {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  /** Runs {@code varve} with arguments. */
  public static CommandRun of(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode =
        VarveCommand.run(new Console(new PrintWriter(out), new PrintWriter(err)), arguments);
    return new CommandRun(exitCode, out.toString(), err.toString());
  }

  /** The same, which must go well. */
  public static CommandRun good(String... arguments) {
    CommandRun run = of(arguments);
    assertEquals(0, run.exitCode, run::toString);
    return run;
  }

  /** The one document on stdout. */
  public JsonNode json() {
    try {
      return JSON.readTree(out);
    } catch (JsonProcessingException notOneDocument) {
      throw new AssertionError("stdout is not one JSON document: " + this, notOneDocument);
    }
  }
}
