package dev.varve.benchmarks.sustainable;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.varve.benchmarks.sustainable.Spans.Span;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Goal: the time that two lists of stretches have in common. Method: cases. */
final class SpansTest {
  private static Spans spans(long... ends) {
    List<Span> all = new java.util.ArrayList<>();
    for (int i = 0; i < ends.length; i += 2) {
      all.add(new Span(ends[i], ends[i + 1]));
    }
    return new Spans(all);
  }

  @Test
  void whatOverlapsBecomesOne() {
    assertEquals(spans(1, 6, 8, 9), spans(8, 9, 3, 6, 1, 4, 2, 3));
  }

  @Test
  void onlyWhatIsInBothCounts() {
    assertEquals(0, spans().commonNanos(spans(1, 2)));
    assertEquals(0, spans(1, 2).commonNanos(spans(2, 3)));
    assertEquals(3, spans(1, 10).commonNanos(spans(0, 2, 4, 5, 9, 12)));
    assertEquals(3, spans(0, 2, 4, 5, 9, 12).commonNanos(spans(1, 10)));
    assertEquals(2, spans(0, 5, 6, 9).commonNanos(spans(4, 7)));
  }
}
