package dev.varve.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.varve.cli.VarveCommand;
import dev.varve.common.env.LocalFileSystem;
import dev.varve.common.env.SystemClock;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.KeyValueStore;
import dev.varve.dataset.StorageEngine;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.report.Console;
import dev.varve.report.command.CommandContext;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/**
 * Goal: the log of a store is told record by record, and how it ends. Method: the store that a
 * killed process has left, whole, with a damaged record, and while it is open.
 */
final class TailLogCommandTest extends KilledStoreCase {
  private int run(String... options) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    String[] arguments =
        Stream.concat(Stream.of("tail-log", "--dir", directory.toString()), Stream.of(options))
            .toArray(String[]::new);
    return VarveCommand.run(new Console(new PrintWriter(out), new PrintWriter(err)), arguments);
  }

  private JsonNode json() throws IOException {
    return new ObjectMapper().readTree(out.toString());
  }

  @Test
  void recordsAreToldWithTheirPlaceAndKey() throws Exception {
    assertEquals(0, run("--json"), err::toString);
    List<JsonNode> records =
        StreamSupport.stream(json().path("records").spliterator(), false).toList();
    List<JsonNode> pairs =
        records.stream().filter(each -> each.path("place").asText().startsWith("pairs/")).toList();
    assertEquals(
        List.of("k1", "k2"), pairs.stream().map(each -> each.path("key").asText()).toList());
    assertTrue(
        records.stream().anyMatch(each -> each.path("place").asText().endsWith("/address.city")));
    assertTrue(records.stream().anyMatch(each -> each.path("type").asText().equals("COMMIT")));
    long next = 0;
    for (JsonNode record : records) {
      assertTrue(record.path("lsn").asLong() >= next, record::toString);
      next = record.path("lsn").asLong() + record.path("bytes").asLong();
    }
    assertEquals("WHOLE", json().at("/ends/0/state").asText());
    assertEquals(next, json().at("/ends/0/lsn").asLong());
    int told = records.size();
    assertEquals(0, run(), err::toString);
    assertEquals(told, out.toString().lines().count());
    assertTrue(err.toString().contains("the log ends at LSN " + next), err::toString);
  }

  @Test
  void damageIsToldWithFileAndByteBehindWhatIsWhole() throws Exception {
    assertEquals(0, run("--json"), err::toString);
    JsonNode last = json().path("records").get(json().path("records").size() - 2);
    int told = json().path("records").size();
    Path segment = newestSegment();
    long firstLsn;
    try (RandomAccessFile file = new RandomAccessFile(segment.toFile(), "r")) {
      file.seek(32);
      firstLsn = Long.reverseBytes(file.readLong());
    }
    long damaged = 64 + last.path("lsn").asLong() - firstLsn + 20;
    invert(segment, damaged);
    assertEquals(1, run("--json"), err::toString);
    JsonNode end = json().at("/ends/0");
    assertEquals("DAMAGED", end.path("state").asText(), out::toString);
    assertEquals(segment.toString(), end.path("file").asText());
    assertEquals(64 + last.path("lsn").asLong() - firstLsn, end.path("offset").asLong());
    assertEquals(told - 2, json().path("records").size());
    assertEquals(1, run());
    assertTrue(err.toString().contains("DAMAGED"), err::toString);
    assertTrue(err.toString().contains(segment.getFileName().toString()), err::toString);
    invert(segment, damaged);
  }

  private static void invert(Path file, long position) throws IOException {
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      bytes.seek(position);
      int old = bytes.read();
      bytes.seek(position);
      bytes.write(old ^ 0xFF);
    }
  }

  private Path newestSegment() throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve("store/log"))) {
      return files
          .filter(file -> file.getFileName().toString().endsWith(".log"))
          .filter(TailLogCommandTest::isUsed)
          .sorted()
          .reduce((first, second) -> second)
          .orElseThrow();
    }
  }

  private static boolean isUsed(Path segment) {
    try (RandomAccessFile file = new RandomAccessFile(segment.toFile(), "r")) {
      return file.read() == 'V';
    } catch (IOException failure) {
      throw new AssertionError(failure);
    }
  }

  @Test
  void besideTheProcessThatRunsItTheEndIsNotJudged() throws Exception {
    try (StorageEngine engine = StorageEngine.open(directory)) {
      engine
          .openKeyValueStore("pairs", KeyValueOptions.DEFAULTS)
          .put("k3".getBytes(StandardCharsets.UTF_8), new byte[] {7});
      assertEquals(0, run("--json"), err::toString);
      assertEquals("RUNNING", json().at("/ends/0/state").asText());
      JsonNode records = json().path("records");
      assertEquals("k3", records.get(records.size() - 1).path("key").asText());
      assertTrue(engine.verify().clean());
    }
  }

  @Test
  void segmentsReleasedWhileTheyAreReadAreNoDamage() throws Exception {
    EngineOptions options =
        EngineOptions.builder(directory)
            .logSegmentBytes(4 << 20)
            .logRetentionBytes(4 << 20)
            .build();
    CommandContext context =
        new CommandContext(
            new Console(new PrintWriter(out), new PrintWriter(err)),
            new LocalFileSystem(),
            new SystemClock(),
            new ThreadTaskExecutor());
    try (StorageEngine engine = StorageEngine.open(options)) {
      fill(engine, "a");
      List<LogEntry> told = new ArrayList<>();
      LogTail.End end =
          new LogTail(0, directory, context)
              .read(
                  entry -> {
                    if (told.isEmpty()) {
                      releaseLog(engine);
                    }
                    told.add(entry);
                  });
      assertEquals(LogTail.State.RUNNING, end.state());
      assertTrue(told.get(told.size() - 1).line().contains("last"), end::toString);
      assertTrue(engine.verify().clean());
    }
  }

  private static void fill(StorageEngine engine, String prefix) throws StorageException {
    KeyValueStore logged =
        engine.openKeyValueStore("logged", KeyValueOptions.DEFAULTS.withLargeValueBytes(0));
    for (int i = 0; i < 200; i++) {
      logged.put((prefix + i).getBytes(StandardCharsets.UTF_8), new byte[100_000]);
    }
  }

  private static void releaseLog(StorageEngine engine) {
    try {
      fill(engine, "b");
      for (String name : engine.names()) {
        engine.store(name).flush();
      }
      fill(engine, "last");
    } catch (StorageException failure) {
      throw new AssertionError(failure);
    }
  }

  @Test
  void followGoesOnWithWhatIsWritten() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                VarveCommand.class.getName(),
                "tail-log",
                "--follow",
                "--json",
                "--dir",
                directory.toString())
            .redirectError(temporary.resolve("err").toFile())
            .start();
    try (var lines = process.inputReader(StandardCharsets.UTF_8)) {
      assertFalse(String.valueOf(lines.readLine()).isEmpty());
      try (StorageEngine engine = StorageEngine.open(directory)) {
        engine
            .openKeyValueStore("pairs", KeyValueOptions.DEFAULTS)
            .put("k9".getBytes(StandardCharsets.UTF_8), new byte[] {7});
        String line = lines.readLine();
        while (line != null && !line.contains("\"k9\"")) {
          line = lines.readLine();
        }
        assertTrue(line != null, () -> "it ended");
        process.destroy();
        assertTrue(process.waitFor(1, TimeUnit.MINUTES));
        assertEquals(143, process.exitValue());
        assertTrue(engine.verify().clean());
      }
    } finally {
      process.toHandle().destroyForcibly();
    }
  }
}
