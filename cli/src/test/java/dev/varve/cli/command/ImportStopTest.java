package dev.varve.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.varve.cli.VarveCommand;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: an import that is stopped politely ends at once, says what is durable, and goes on when it
 * is run again. Method: a process that waits for more on its standard input, and SIGTERM (as
 * Ctrl-C, but for the number).
 */
final class ImportStopTest {
  private static final int RECORDS = 3_000;

  @TempDir Path temporary;

  private Process start(Path log, String... arguments) throws IOException {
    Stream<String> java =
        Stream.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-ea",
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            VarveCommand.class.getName(),
            "--progress",
            "lines");
    return new ProcessBuilder(Stream.concat(java, Stream.of(arguments)).toList())
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }

  private static byte[] records() {
    StringBuilder lines = new StringBuilder();
    for (int id = 0; id < RECORDS; id++) {
      lines.append("{\"id\":%d,\"text\":\"tree %d\"}%n".formatted(id, id));
    }
    return lines.toString().getBytes(StandardCharsets.UTF_8);
  }

  private int end(Process process, Path log) throws IOException, InterruptedException {
    assertTrue(process.waitFor(5, TimeUnit.MINUTES), () -> "it stands still: " + log);
    System.out.println(Files.readString(log));
    return process.exitValue();
  }

  private String stop(Path log, String... arguments) throws IOException, InterruptedException {
    Process process = start(log, arguments);
    try (OutputStream input = process.getOutputStream()) {
      input.write(records());
      input.flush();
      while (!Files.readString(log).contains("1,000, ")) {
        assertTrue(process.isAlive(), Files.readString(log));
        assertTrue(!process.waitFor(10, TimeUnit.MILLISECONDS), Files.readString(log));
      }
      process.destroy();
      assertEquals(143, end(process, log));
    } finally {
      process.toHandle().destroyForcibly();
    }
    return Files.readString(log);
  }

  @Test
  void aStoppedImportSaysWhatIsDurableAndGoesOnWhenItIsRunAgain() throws Exception {
    Path log = temporary.resolve("log");
    Path store = temporary.resolve("store");
    Path all = Files.write(temporary.resolve("all.ndjson"), records());
    List<String> sentences =
        List.of(
            "Stopped. Each partition has all of its records or none; the same import",
            "Stopped. What was imported is durable up to some record; the same import");
    for (String sentence : sentences) {
      String said =
          stop(
              log,
              "import",
              "--dir",
              store.toString(),
              "--dataset",
              "d",
              "--key",
              "id",
              "--index",
              "keyword:text",
              "-");
      assertTrue(said.contains(sentence + " again makes it whole."), said);
      Process again =
          start(log, "import", "--dir", store.toString(), "--dataset", "d", all.toString());
      assertEquals(0, end(again, log));
      Process verified = start(log, "verify", "--dir", store.toString());
      assertEquals(0, end(verified, log));
    }
  }

  private static JsonNode document(String log) throws IOException {
    int first = log.indexOf("{\n");
    return new ObjectMapper().readTree(log.substring(first, log.indexOf("\n}", first) + 2));
  }

  /** How many records the store has, as another process counts them. */
  private long stored(Path log, Path store) throws Exception {
    assertEquals(0, end(start(log, "verify", "--dir", store.toString()), log));
    Path file = temporary.resolve("exported");
    Process exported = start(log, "export", "--dir", store.toString(), "--json", file.toString());
    assertEquals(0, end(exported, log));
    return document(Files.readString(log)).path("count").asLong();
  }

  @Test
  void aStoppedImportPrintsTheDocumentWithWhatIsDurable() throws Exception {
    Path log = temporary.resolve("log");
    Path store = temporary.resolve("store");
    Path one =
        Files.writeString(temporary.resolve("one.ndjson"), "{\"id\":-1,\"text\":\"root\"}\n");
    String[] line = {
      "import", "--dir", store.toString(), "--dataset", "d", "--key", "id", "--json", "-"
    };
    JsonNode loaded = document(stop(log, line));
    assertEquals("SIGNAL", loaded.path("stopped").asText(), loaded::toString);
    assertEquals("bulk load", loaded.path("target").path("method").asText(), loaded::toString);
    assertTrue(loaded.path("counts").path("read").asLong() >= 1_000, loaded::toString);
    assertEquals(0, loaded.path("counts").path("taken").asLong(), loaded::toString);

    String[] first = line.clone();
    first[first.length - 1] = one.toString();
    assertEquals(0, end(start(log, first), log));
    assertEquals("", document(Files.readString(log)).path("stopped").asText());
    JsonNode upserted = document(stop(log, line));
    long taken = upserted.path("counts").path("taken").asLong();
    assertEquals("SIGNAL", upserted.path("stopped").asText(), upserted::toString);
    assertTrue(taken >= 1_000, upserted::toString);
    assertTrue(taken <= upserted.path("counts").path("read").asLong(), upserted::toString);
    long stored = stored(log, store);
    assertTrue(stored >= 1 + taken, () -> stored + " stored, " + taken + " said to be");
  }
}
