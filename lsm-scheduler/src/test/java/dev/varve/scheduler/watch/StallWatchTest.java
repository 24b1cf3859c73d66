package dev.varve.scheduler.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.varve.common.maintenance.MaintenanceTask.Kind;
import dev.varve.common.testkit.TextCases;
import dev.varve.scheduler.admission.StallCause;
import dev.varve.scheduler.admission.Waiting;
import dev.varve.scheduler.service.MaintenanceStats;
import dev.varve.scheduler.service.TaskReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Goal: the watchdog barks at what is wrong, and at nothing else. Method: cases. */
final class StallWatchTest {
  private static final long SECOND = 1_000_000_000L;
  private static final MaintenanceStats.Threads NO_THREADS =
      new MaintenanceStats.Threads(1, 1, 0, 0, 0, 0);
  private static final MaintenanceStats.Counts NOTHING =
      new MaintenanceStats.Counts(0, 0, 0, 0, 0, 0, 0);

  @Test
  void saysWhoWaitsForWhomAndWhatIsBroken() throws Exception {
    TextCases.run(StallWatchTest.class, "watch.txt", (name, input) -> look(input));
  }

  private static String look(List<String> input) {
    List<Waiting> waits = new ArrayList<>();
    List<TaskReport> tasks = new ArrayList<>();
    long still = 0;
    for (String line : input) {
      String[] words = line.split(" ");
      switch (words[0]) {
        case "wait" ->
            waits.add(
                new Waiting(
                    "d",
                    StallCause.valueOf(words[1]),
                    "holder",
                    words[2].equals("-") ? "" : words[2],
                    List.of("p", "s"),
                    words.length > 4 ? List.of(words[5]) : List.of(),
                    1,
                    Long.parseLong(words[3]) * SECOND));
        case "still" -> still = Long.parseLong(words[1]) * SECOND;
        default -> tasks.add(task(words));
      }
    }
    Sample first =
        new Sample(0, waits, new MaintenanceStats(NOTHING, NOTHING, tasks, NO_THREADS, Map.of()));
    Sample now =
        new Sample(
            still, waits, new MaintenanceStats(NOTHING, NOTHING, tasks, NO_THREADS, Map.of()));
    List<TaskReport> holders = WaitChain.holders(waits.get(0), tasks);
    List<StallWatch.Breach> breaches = StallWatch.begin(30 * SECOND, first).next(now).breaches(now);
    return "for "
        + (holders.isEmpty()
            ? "nothing"
            : holders.stream()
                .map(task -> Long.toString(task.number()))
                .collect(Collectors.joining(", ")))
        + breaches.stream().map(breach -> ": " + breach.rule()).collect(Collectors.joining());
  }

  private static TaskReport task(String[] words) {
    return new TaskReport(
        Long.parseLong(words[1]),
        Kind.valueOf(words[0].toUpperCase(Locale.ROOT)),
        TaskReport.State.valueOf(words[3]),
        words[0] + " of " + words[2],
        words[2],
        100,
        50,
        50,
        0,
        SECOND);
  }

  @Test
  void whatMovesIsSeen() {
    MaintenanceStats.Counts some = new MaintenanceStats.Counts(0, 0, 0, 1, 0, 0, 0);
    Sample first =
        new Sample(
            0, List.of(), new MaintenanceStats(NOTHING, NOTHING, List.of(), NO_THREADS, Map.of()));
    StallWatch watch = StallWatch.begin(SECOND, first);
    Sample still = new Sample(5, List.of(), first.stats());
    assertEquals(0, watch.next(still).movedNanos());
    Sample moved =
        new Sample(
            9, List.of(), new MaintenanceStats(NOTHING, some, List.of(), NO_THREADS, Map.of()));
    assertEquals(9, watch.next(still).next(moved).movedNanos());
  }
}
