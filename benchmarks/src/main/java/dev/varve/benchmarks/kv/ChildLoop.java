package dev.varve.benchmarks.kv;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a child's main method does: requests come in on stdin, answers go out on stdout, and the
 * process ends when its parent does.
 */
public final class ChildLoop {
  private ChildLoop() {}

  /**
   * Does what is asked.
   *
   * @param <T> the record that a request is
   */
  public interface Handler<T> {
    /** Says what came of a request, and meanwhile how far it is. */
    Answer answer(T request, Consumer<Answer> progress);

    /** Whether the process ends with this request. */
    default boolean isLast(T request) {
      return false;
    }
  }

  /** Answers requests until the last one, and ends the process. */
  public static <T> void run(Class<T> type, Handler<T> handler) {
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    // Whatever a library prints is no answer.
    System.setOut(new PrintStream(System.err, true));
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    String line;
    boolean going = true;
    while (going && (line = next(in)) != null) {
      try {
        T request = Wire.read(line, type);
        say(out, handler.answer(request, progress -> say(out, progress)));
        going = !handler.isLast(request);
      } catch (BenchmarkException notARequest) {
        say(out, Answer.failed(String.valueOf(notARequest.getMessage())));
      }
    }
    // Some stores leave threads behind that do not end by themselves.
    Runtime.getRuntime().halt(0);
  }

  private static @Nullable String next(BufferedReader in) {
    try {
      return in.readLine();
    } catch (IOException parentIsGone) {
      return null;
    }
  }

  private static void say(PrintWriter out, Answer answer) {
    out.println(Wire.write(answer));
    if (out.checkError()) {
      // Nobody waits for the result any more.
      Runtime.getRuntime().halt(1);
    }
  }
}
