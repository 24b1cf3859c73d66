package dev.varve.common.testkit;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Goal: the grammar means what it says. Method: text cases, so it also tests {@link TextCases}. */
final class FaultPlanTest {
  @Test
  void plansAreUnderstoodAsWritten() throws Exception {
    TextCases.run(FaultPlanTest.class, "fault-plans.txt", (name, input) -> answer(input));
  }

  private static String answer(List<String> input) {
    FaultPlan plan = FaultPlan.parse("");
    StringBuilder answer = new StringBuilder();
    for (String line : input) {
      String first = line.substring(0, line.indexOf(' '));
      String rest = line.substring(line.indexOf(' ') + 1);
      if (first.equals("plan")) {
        try {
          plan = FaultPlan.parse(rest);
          answer.append(plan).append('\n');
        } catch (IllegalArgumentException refused) {
          answer.append(refused.getMessage()).append('\n');
        }
      } else {
        FaultPlan.Hit hit =
            plan.next(FileCall.valueOf(first.toUpperCase(Locale.ROOT)), Path.of(rest));
        answer.append(hit == null ? "passes" : hit.fault() + " " + hit.number()).append('\n');
      }
    }
    return answer.toString();
  }
}
