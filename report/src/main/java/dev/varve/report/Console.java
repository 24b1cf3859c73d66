package dev.varve.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.PrintWriter;

/**
 * Where a command prints: results to {@code out}, everything else to {@code err}. Confined to the
 * main thread.
 *
 * @param out results; with {@code --json} one document and nothing else
 * @param err progress, warnings and failures
 * @param columns how wide tables may be
 */
public record Console(PrintWriter out, PrintWriter err, int columns) {
  /** Tables are as wide as what is in them. */
  public static final int ANY_WIDTH = Integer.MAX_VALUE;

  /** Made for the first document: a short command that prints none starts without. */
  private static final class Json {
    private static final ObjectMapper WRITER =
        new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
  }

  /** A console whose tables are as wide as what is in them. */
  public Console(PrintWriter out, PrintWriter err) {
    this(out, err, ANY_WIDTH);
  }

  /** Prints a value, most often a record, as a JSON document. */
  public void printJson(Object value) {
    try {
      out.println(Json.WRITER.writeValueAsString(value));
    } catch (JsonProcessingException impossible) {
      // Results are records of numbers, texts and lists; one that Jackson refuses is a bug here.
      throw new IllegalStateException(impossible);
    }
    out.flush();
  }

  /** Prints a line for people. */
  public void printLine(String line) {
    out.println(line);
  }
}
