package dev.varve.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.cli.VarveCommand;
import dev.varve.report.Console;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.TypeConversionException;

/**
 * Goal: stores that commands make have the time to live that was asked for, and stores that are
 * there keep theirs. Method: records whose life has ended, is long, or never ends.
 */
final class LifeOptionTest {
  @TempDir Path temporary;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String line) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return VarveCommand.run(
        new Console(new PrintWriter(out), new PrintWriter(err)),
        line.replace("T/", temporary + "/").split(" "));
  }

  private void requireCount(int count, String find) {
    assertEquals(0, run(find + " --count --json"), () -> out + "" + err);
    assertTrue(out.toString().contains("\"count\" : " + count + ","), out::toString);
  }

  private void writeRecords() throws Exception {
    Files.writeString(
        temporary.resolve("records.ndjson"),
        "{\"id\":1,\"at\":\"2020-01-01T00:00:00Z\"}\n{\"id\":2,\"at\":"
            + Instant.now().toEpochMilli()
            + "}\n{\"id\":3}\n");
  }

  @Test
  void importedRecordsLiveFromTheTimeInTheirField() throws Exception {
    writeRecords();
    assertEquals(
        0,
        run("import --dir T/s --dataset d --key id --ttl 30d --ttl-field at T/records.ndjson"),
        err::toString);
    requireCount(2, "find --dir T/s --dataset d --range :");
    assertEquals(0, run("import --dir T/s --dataset d T/records.ndjson"), err::toString);
    requireCount(2, "find --dir T/s --dataset d --range :");
    assertEquals(1, run("import --dir T/s --dataset d --ttl 1d --ttl-field at T/records.ndjson"));
    assertTrue(err.toString().contains("OPTIONS_MISMATCH"), err::toString);
  }

  @Test
  void ingestedRecordsMayEndAtTheTimeInTheirField() throws Exception {
    writeRecords();
    assertEquals(
        0,
        run("ingest --dir T/c --nodes 1 --dataset d --ttl-field at --input T/records.ndjson"),
        err::toString);
    requireCount(1, "query --dir T/c --dataset d --range :");
  }

  @Test
  void importedRecordsLiveFromWhenTheyWereWrittenWithoutAField() throws Exception {
    writeRecords();
    assertEquals(
        0, run("import --dir T/w --dataset d --key id --ttl 12h T/records.ndjson"), err::toString);
    requireCount(3, "find --dir T/w --dataset d --range :");
    assertEquals(1, run("import --dir T/w --dataset d --ttl 13h T/records.ndjson"));
    assertTrue(err.toString().contains("OPTIONS_MISMATCH"), err::toString);
    assertEquals(
        0,
        run("import --dir T/short --dataset d --key id --ttl PT0.001S T/records.ndjson"),
        err::toString);
    requireCount(0, "find --dir T/short --dataset d --range :");
    assertEquals(
        0,
        run("ingest --dir T/c --nodes 1 --dataset d --ttl PT0.001S --input T/records.ndjson"),
        err::toString);
    requireCount(0, "query --dir T/c --dataset d --range :");
  }

  @Test
  void importedPairsLiveFromWhenTheyWereWritten() throws Exception {
    Files.writeString(temporary.resolve("p.ndjson"), "{\"key\":\"a\",\"value\":\"b\"}\n");
    assertEquals(
        0, run("import --dir T/p --dataset pairs --pairs --ttl 12h T/p.ndjson"), err::toString);
    assertEquals(0, run("import --dir T/p --dataset pairs T/p.ndjson"), err::toString);
    assertEquals(1, run("import --dir T/p --dataset pairs --pairs --ttl 13h T/p.ndjson"));
    assertTrue(err.toString().contains("PT12H"), err::toString);
  }

  @Test
  void whatIsNoLifeIsAWrongArgument() throws Exception {
    writeRecords();
    for (String wrong :
        List.of(
            "--key id --ttl 0s",
            "--key id --ttl 30days --ttl-field at",
            "--pairs --ttl 30d --ttl-field at",
            "--pairs --ttl 0s")) {
      assertEquals(
          2, run("import --dir T/w --dataset d " + wrong + " T/records.ndjson"), wrong + err);
    }
  }

  @Test
  void livesAreReadAsTheyAreSaid() {
    LifeOption.Life life = new LifeOption.Life();
    assertEquals(Duration.ofSeconds(90), life.convert("90s"));
    assertEquals(Duration.ofMinutes(15), life.convert("15m"));
    assertEquals(Duration.ofDays(30), life.convert("30D"));
    assertEquals(Duration.ofHours(36), life.convert("PT36H"));
    assertThrows(TypeConversionException.class, () -> life.convert("-1d"));
  }
}
