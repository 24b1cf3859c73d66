package dev.varve.scheduler.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.scheduler.admission.WriteConditions.Usage;
import dev.varve.scheduler.admission.WriteGate.Decision;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Goal: the gate closes for each cause, and for nothing else. Method: every combination. */
final class StoppingGateTest {
  private final WriteGate gate = WriteGates.STOP;

  @Test
  void theFirstCauseThatHoldsIsTheOneReported() {
    List<StallCause> causes = new ArrayList<>(List.of(StallCause.values()));
    causes.removeIf(StallCause::paces); // which this gate never is the cause of
    causes.remove(StallCause.PENDING_BYTES); // nor of this
    for (int combination = 0; combination < 1 << causes.size(); combination++) {
      Set<StallCause> holding = EnumSet.noneOf(StallCause.class);
      for (int i = 0; i < causes.size(); i++) {
        if ((combination & 1 << i) != 0) {
          holding.add(causes.get(i));
        }
      }
      Decision decision = gate.decide(conditions(holding));
      if (holding.isEmpty()) {
        assertEquals(new Decision.Open(), decision);
      } else {
        StallCause first = holding.iterator().next();
        assertTrue(
            decision instanceof Decision.Closed closed && closed.cause() == first,
            holding + ": " + decision);
      }
    }
  }

  @Test
  void theHolderNamesItsNumbers() {
    Decision decision = gate.decide(conditions(EnumSet.of(StallCause.COMPONENT_LIMIT)));
    assertTrue(
        decision instanceof Decision.Closed closed
            && closed.holder().equals("merges are behind: 12 of 12 disk components"),
        decision.toString());
  }

  @Test
  void memoryIsFullByItsBytesAsWell() {
    WriteConditions conditions =
        new WriteConditions(
            1,
            new Usage(12, 12),
            new Usage(100, 100),
            Usage.UNBOUNDED,
            Usage.UNBOUNDED,
            Optional.empty());
    assertEquals(
        new Decision.Closed(
            StallCause.MEMORY_FULL, "flushes are behind: 100 of 100 bytes of memory components"),
        gate.decide(conditions));
  }

  @Test
  void justBelowEveryLimitTheGateIsOpen() {
    WriteConditions conditions =
        new WriteConditions(
            1,
            new Usage(11, 12),
            new Usage(99, 100),
            new Usage(99, 100),
            new Usage(0, 1),
            Optional.empty());
    assertEquals(new Decision.Open(), gate.decide(conditions));
    assertEquals(new Decision.Open(), gate.decide(WriteConditions.CLEAR));
  }

  private static WriteConditions conditions(Set<StallCause> holding) {
    return new WriteConditions(
        holding.contains(StallCause.MEMORY_FULL) ? 0 : 1,
        new Usage(holding.contains(StallCause.COMPONENT_LIMIT) ? 12 : 11, 12),
        new Usage(99, 100),
        new Usage(holding.contains(StallCause.MEMORY_BUDGET) ? 101 : 99, 100),
        new Usage(holding.contains(StallCause.LOG_SPACE) ? 100 : 0, 100),
        holding.contains(StallCause.DISK_SPACE) ? Optional.of("no space left") : Optional.empty());
  }
}
