package dev.varve.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.varve.cli.VarveCommand;
import dev.varve.report.Console;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Goal: {@code varve simulate} runs what its options say. Method: the command in this process. */
final class SimulateCommandTest {
  private static final String SMALL =
      "simulate --policy constant(3) --records 100000 --record-bytes 100 --memory 1MB --budget"
          + " 2MB/s --hours 0.2 --warm-up 1";

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String line) {
    return VarveCommand.run(
        new Console(new PrintWriter(out), new PrintWriter(err)), line.split(" "));
  }

  @Test
  void aRunIsATableWithItsSetting() {
    assertEquals(0, run(SMALL + " --arrivals constant:500"), err::toString);
    assertTrue(
        out.toString().contains("constant(3), fair, stop, constant:500, uniform"), out::toString);
    assertTrue(out.toString().contains("500.0 records/s after warm-up"), out::toString);
  }

  @Test
  void twoPhasesAreTwoRunsOfOneDocument() throws Exception {
    assertEquals(0, run(SMALL + " --two-phase --json"), err::toString);
    JsonNode document = new ObjectMapper().readTree(out.toString());
    assertEquals(2, document.get("runs").size());
    double measured = document.at("/runs/0/result/recordsPerSecond").asDouble();
    String arrivals = document.at("/runs/1/result/setting/arrivals").asText();
    assertEquals(0.95 * measured, Double.parseDouble(arrivals.split(":")[1]), 0.01);
    assertEquals("closed", document.at("/runs/0/result/setting/arrivals").asText());
  }

  @Test
  void aPolicyByNameTakesItsRatio() {
    assertEquals(0, run(SMALL.replace("constant(3)", "constant") + " --ratio 4"), err::toString);
    assertTrue(out.toString().contains("constant(4)"), out::toString);
  }

  @Test
  void partitionedLevelsAndGatesAreRead() {
    assertEquals(
        0,
        run(
            SMALL.replace("constant(3)", "partitioned-leveling(10,4m,1m)")
                + " --scheduler single --gate cap(20k)"),
        err::toString);
    assertTrue(
        out.toString()
            .contains("partitioned-leveling(10, 4194304, 1048576, 4) limit 12, single, cap(20480)"),
        out::toString);
    assertTrue(out.toString().contains("204.8 records/s after warm-up"), out::toString);
  }

  @Test
  void aPictureIsWrittenOverWhatIsThere(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("a.svg");
    Files.writeString(file, "x".repeat(100_000));
    assertEquals(0, run(SMALL + " --two-phase --svg " + file), err::toString);
    String svg = Files.readString(file);
    assertTrue(svg.startsWith("<svg ") && svg.endsWith("</svg>\n"), svg);
    assertEquals(2 * 2, svg.split("<polyline", -1).length - 1, "two runs in two frames");
    assertTrue(svg.contains("Disk components"), svg);
    assertTrue(svg.length() < 30_000, "small enough for a document: " + svg.length());
  }

  @Test
  void aFigureComesWithItsVerdicts() {
    assertEquals(0, run("simulate --reproduce fig9"), err::toString);
    assertTrue(out.toString().contains("holds     single: a large number of"), out::toString);
    assertTrue(out.toString().contains("here: "), out::toString);
  }

  @Test
  void aCalibrationHasAVerdictForEachPair(@TempDir Path directory) throws Exception {
    int code =
        run(
            "simulate --calibrate --calibrate-pair tiering(3)/fair --calibrate-pair none/greedy"
                + " --calibrate-records 8000 --calibrate-seconds 1 --json --dir "
                + directory);
    JsonNode document = new ObjectMapper().readTree(out.toString());
    JsonNode results = document.get("results");
    assertEquals(2, results.size() + document.get("failures").size(), err::toString);
    for (JsonNode result : results) {
      assertEquals(3, result.get("checks").size());
    }
    // How near the simulator is within a second is for others to say.
    assertEquals(document.get("holds").asBoolean() ? 0 : 1, code);
    assertEquals(0, directory.toFile().list().length, "nothing is left behind");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--policy sometimes",
        "--arrivals often",
        "--scheduler later",
        "--keys some",
        "--hours -1",
        "--records 0",
        "--limit 0",
        "--memory lots",
        "--budget 100MB/h",
        "--reproduce fig99",
        "--reproduce all,fig9",
        "--calibrate --calibrate-seconds 0",
        "--calibrate --calibrate-at-once 0",
        "--calibrate --calibrate-records 10",
        "--calibrate --calibrate-pair tiering(3)",
        "--calibrate --calibrate-pair tiering(3)/later",
        "--calibrate --calibrate-pair sometimes/fair"
      })
  void otherArgumentsAreRefused(String arguments) {
    assertEquals(2, run("simulate " + arguments));
    assertTrue(err.toString().contains("varve simulate"), err::toString);
  }
}
