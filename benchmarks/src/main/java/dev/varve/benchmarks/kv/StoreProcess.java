package dev.varve.benchmarks.kv;

import dev.varve.benchmarks.kv.Request.Verb;
import dev.varve.benchmarks.store.Store;
import dev.varve.benchmarks.store.StoreException;
import dev.varve.benchmarks.store.StoreKind;
import dev.varve.benchmarks.store.StoreSettings;
import dev.varve.common.env.LocalFileSystem;
import dev.varve.common.env.SystemClock;
import dev.varve.common.env.ThreadTaskExecutor;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The main class of a child: requests come in on stdin, answers go out on stdout, and it ends when
 * its parent does.
 */
public final class StoreProcess {
  private StoreProcess() {}

  /** Answers requests until one closes the store. */
  public static void main(String[] arguments) {
    assert arguments.length == 0;
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    // Whatever a library prints is no answer.
    System.setOut(new PrintStream(System.err, true));
    StoreServer server =
        new StoreServer(
            StoreProcess::open, new LocalFileSystem(), new SystemClock(), new ThreadTaskExecutor());
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    String line;
    boolean going = true;
    while (going && (line = next(in)) != null) {
      try {
        Request request = Wire.read(line, Request.class);
        say(out, server.answer(request, progress -> say(out, progress)));
        going = request.verb() != Verb.CLOSE;
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

  private static Store open(String label, StoreSettings settings) throws StoreException {
    if (label.equals(Contender.DEVICE.label())) {
      return DeviceFloor.open(new LocalFileSystem(), settings.directory());
    }
    return StoreKind.ofLabel(label)
        .orElseThrow(() -> new StoreException("no store is called " + label))
        .open(settings);
  }
}
