package dev.varve.benchmarks.child;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What a child's main method does: requests come in on stdin, answers go out on stdout, and the
 * process ends when its parent does.
 */
public final class ChildLoop {
  private ChildLoop() {}

  /** Answers requests until the last one, and ends the process. */
  public static <Q> void run(Workload<Q> workload) {
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    // Whatever a library prints is no answer.
    System.setOut(new PrintStream(System.err, true));
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    String line;
    boolean going = true;
    while (going && (line = next(in)) != null) {
      try {
        Q request = Wire.read(line, workload.requestType());
        going = !workload.isLast(request);
        say(out, Answer.done(workload.answer(request, share -> say(out, Answer.progress(share)))));
      } catch (BenchmarkException failure) {
        failure.printStackTrace();
        say(out, Answer.failed(String.valueOf(failure.getMessage())));
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
