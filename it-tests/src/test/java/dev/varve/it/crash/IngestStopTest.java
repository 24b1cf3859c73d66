package dev.varve.it.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.it.cli.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a polite signal stops a feed, and what the summary calls acknowledged is what is there.
 * Method: a child JVM, SIGTERM (as Ctrl-C, but for the number), and a count.
 */
@Tag("slow")
final class IngestStopTest {
  private static final Pattern ACKNOWLEDGED = Pattern.compile("([0-9,]+) acknowledged");

  @TempDir Path temporary;

  @Test
  void signalStopsTheFeedAndTheSummaryIsTrue() throws IOException {
    String directory = temporary.resolve("tweets").toString();
    Path acknowledgements = temporary.resolve("acks");
    List<String> arguments =
        List.of("--dir", directory, "--tweets", "100000000", "--acks", acknowledgements.toString());
    try (ChildIngest child = ChildIngest.start(temporary.resolve("log"), arguments)) {
      while (!Files.exists(acknowledgements) || Files.size(acknowledgements) < 100) {
        assertTrue(child.runs(10), child.output());
      }
      assertEquals(143, child.terminate(), child.output());
      String output = child.output();
      assertTrue(output.contains("Stopped."), output);
      Matcher matcher = ACKNOWLEDGED.matcher(output);
      assertTrue(matcher.find(), output);
      long acknowledged = Long.parseLong(matcher.group(1).replace(",", ""));
      assertEquals(
          acknowledged,
          CommandRun.good("query", "--range", ":", "--count", "--json", "--dir", directory)
              .json()
              .path("count")
              .asLong());
    }
    CommandRun.good("verify", "--dir", directory);
  }
}
