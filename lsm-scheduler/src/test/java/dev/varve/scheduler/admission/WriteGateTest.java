package dev.varve.scheduler.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.testkit.TextCases;
import dev.varve.scheduler.admission.WriteConditions.Usage;
import dev.varve.scheduler.admission.WriteGate.Decision;
import dev.varve.scheduler.admission.WriteGates.Pressure;
import dev.varve.scheduler.tuner.TunerText;
import dev.varve.scheduler.tuner.WriteController;
import dev.varve.scheduler.tuner.WriteLimits;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Goal: gates decide as worked by hand, and are written as they are read. Method: cases. */
final class WriteGateTest {
  @Test
  void decideAsWorkedByHand() throws Exception {
    TextCases.run(
        WriteGateTest.class,
        "gates.txt",
        (name, input) ->
            describe(
                WriteGates.parse(input.get(0)).decide(conditions(input.subList(1, input.size())))));
  }

  private static WriteConditions conditions(List<String> lines) {
    WriteConditions conditions = WriteConditions.CLEAR;
    for (String line : lines) {
      String[] words = line.split(" ");
      Usage usage =
          words.length == 4
              ? new Usage(Long.parseLong(words[1]), Long.parseLong(words[3]))
              : Usage.UNBOUNDED;
      int free = words[0].equals("free") ? Integer.parseInt(words[1]) : 1;
      conditions =
          new WriteConditions(
              Math.min(free, conditions.freeMemoryComponents()),
              words[0].equals("components") ? usage : conditions.components(),
              words[0].equals("memory") ? usage : conditions.memoryBytes(),
              words[0].equals("shared") ? usage : conditions.sharedBytes(),
              words[0].equals("log") ? usage : conditions.logBytes(),
              words[0].equals("failed") ? Optional.of(words[1]) : conditions.failedFlush());
    }
    return conditions;
  }

  private static String describe(Decision decision) {
    if (decision instanceof Decision.Closed closed) {
      return "closed: " + closed.cause() + ", " + closed.holder();
    }
    if (decision instanceof Decision.Paced paced) {
      return "paced: " + paced.bytesPerSecond() + " bytes/s, " + paced.holder();
    }
    return "open";
  }

  @Test
  void whatAGatePrintsIsReadBack() {
    for (WriteGate gate :
        List.of(
            WriteGates.STOP,
            new WriteGates.Capped(4 << 20),
            new WriteGates.Slowing(Pressure.COMPONENTS, 0.5, 1000),
            new WriteGates.Slowing(Pressure.MEMORY, 0.25, 1000),
            new WriteGates.Controlled(WriteLimits.ADOC),
            new WriteGates.Controlled(WriteLimits.ROCKSDB.withoutLevel0()))) {
      assertEquals(gate, WriteGates.parse(gate.describe()));
    }
    assertEquals(new WriteGates.Capped(4 << 20), WriteGates.parse("cap:4m"));
    assertEquals(
        WriteGates.parse("controller"), WriteGates.parse("controller(20, 36, 64g, 256g, 16m)"));
  }

  @Test
  void theControllerPacesAndStopsAsItSays() {
    WriteController controller = WriteController.of(new WriteLimits(2, 4, 100, 200, 1000));
    assertEquals("open", controlled(WriteConditions.CLEAR));
    assertEquals("open", controlled(WriteConditions.CLEAR.controlledBy(controller)));
    assertEquals(
        "paced: 1000 bytes/s, merges of level 0 are behind: writers slow down at 2 components and"
            + " stop at 4",
        controlled(WriteConditions.CLEAR.controlledBy(controller.next(2, 0))));
    assertEquals(
        "closed: COMPONENT_LIMIT, merges of level 0 are behind: writers slow down at 2 components"
            + " and stop at 4",
        controlled(WriteConditions.CLEAR.controlledBy(controller.next(4, 0))));
    assertEquals(
        "closed: PENDING_BYTES, merges are behind: 200 bytes wait, and writers slow down at 100 and"
            + " stop at 200",
        controlled(WriteConditions.CLEAR.controlledBy(controller.next(0, 200))));
    WriteConditions failed = conditions(List.of("failed no-space"));
    assertEquals(
        "closed: DISK_SPACE, a flush failed: no-space",
        controlled(failed.controlledBy(controller.next(4, 0))));
  }

  private static String controlled(WriteConditions conditions) {
    return describe(new WriteGates.Controlled(WriteLimits.ROCKSDB).decide(conditions));
  }

  @Test
  void eachSlowDownHasTheCauseOfItsClass() {
    WriteController controller = WriteController.of(new WriteLimits(2, 4, 100, 200, 1000));
    WriteGate gate = new WriteGates.Controlled(WriteLimits.ROCKSDB);
    assertEquals(StallCause.LEVEL_ZERO_PACE, pace(gate, controller.next(2, 100)));
    assertEquals(StallCause.PENDING_BYTES_PACE, pace(gate, controller.next(1, 100)));
    for (StallCause cause : StallCause.values()) {
      assertEquals(cause == StallCause.PACE, cause.stallClass().isEmpty(), cause.toString());
      assertEquals(cause.paces(), cause.name().matches("(.*_)?PACE"));
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> new Decision.Paced(1, StallCause.COMPONENT_LIMIT, ""));
  }

  private static StallCause pace(WriteGate gate, WriteController controller) {
    Decision decision = gate.decide(WriteConditions.CLEAR.controlledBy(controller));
    return decision instanceof Decision.Paced paced ? paced.cause() : StallCause.PACE;
  }

  @Test
  void aTunerHasItsPartInTheController() {
    WriteGate printed = new WriteGates.Controlled(WriteLimits.ADOC);
    assertEquals(printed, under("adoc-paper", printed));
    assertEquals(WriteGates.STOP, under("adoc-paper", WriteGates.STOP));
    assertEquals(
        new WriteGates.Controlled(WriteLimits.ADOC.withoutLevel0()), under("silk-o", printed));
    assertEquals(WriteGates.STOP, under("silk-o", WriteGates.STOP));
    WriteLimits early = new WriteLimits(16, 36, 64L << 30, 256L << 30, 64 << 20);
    assertEquals(new WriteGates.Controlled(early), under("varve", WriteGates.STOP));
    assertEquals(new WriteGates.Capped(5), under("varve", new WriteGates.Capped(5)));
  }

  private static WriteGate under(String tuner, WriteGate asked) {
    return WriteGates.under(TunerText.parse(tuner), asked, WriteLimits.ROCKSDB);
  }

  @Test
  void whatIsWrongIsNamed() {
    assertRefused("open", "no gate 'open'");
    assertRefused("stop(1)", "1 parameters");
    assertRefused("cap(0)", "at least one byte");
    assertRefused("slow(1, 10)", "from 1.0 is not in [0, 1)");
    assertRefused("slow(0.5, 0)", "0 bytes per second");
    assertRefused("slow(half, 10)", "not a number");
    assertRefused("stop limit 3", "limits belong to policies");
  }

  private static void assertRefused(String text, String reason) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> WriteGates.parse(text));
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains(reason) && message.contains("cap(BYTES_PER_SECOND)"), message);
  }
}
