package dev.varve.common.testkit;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What was opened and not closed yet, with the stack that opened it. Thread-safe. */
final class OpenResources {
  private final Map<Object, Throwable> open = new ConcurrentHashMap<>();

  void opened(Object resource, String description) {
    open.put(resource, new Throwable(description));
  }

  void closed(Object resource) {
    open.remove(resource);
  }

  List<String> descriptions() {
    return open.values().stream().map(Throwable::getMessage).sorted().toList();
  }

  void assertNothingOpen() {
    if (open.isEmpty()) {
      return;
    }
    StringWriter text = new StringWriter();
    PrintWriter writer = new PrintWriter(text);
    writer.println(open.size() + " left open, opened here:");
    for (Throwable opening : open.values()) {
      opening.printStackTrace(writer);
    }
    writer.flush();
    throw new AssertionError(text.toString());
  }
}
