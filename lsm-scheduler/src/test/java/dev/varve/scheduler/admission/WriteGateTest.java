package dev.varve.scheduler.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.testkit.TextCases;
import dev.varve.scheduler.admission.WriteConditions.Usage;
import dev.varve.scheduler.admission.WriteGate.Decision;
import dev.varve.scheduler.admission.WriteGates.Pressure;
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
            new WriteGates.Slowing(Pressure.MEMORY, 0.25, 1000))) {
      assertEquals(gate, WriteGates.parse(gate.describe()));
    }
    assertEquals(new WriteGates.Capped(4 << 20), WriteGates.parse("cap:4m"));
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
