package dev.varve.scheduler.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.varve.common.component.ComponentId;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergeDecision;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Goal: other indexes merge the same flushes as the leading one. Method: examples. */
final class CorrelationTest {
  private static final MergeDecision LEADING = merge("4-6", "7-7", "8-8");

  @Test
  void theSameFlushesMergeHoweverTheyAreSpread() {
    assertEquals(LEADING, follow("1-3 4-6 7-7 8-8 9-9", ""));
    assertEquals(merge("4-4", "5-8"), follow("1-1 2-3 4-4 5-8 9-9", ""));
  }

  @Test
  void anIndexThatMergedThemAlreadyWaits() {
    assertEquals(new MergeDecision.Wait(), follow("1-3 4-8 9-9", ""));
  }

  @Test
  void anIndexThatIsNotInStepWaits() {
    assertEquals(new MergeDecision.Wait(), follow("1-4 5-6 7-8 9-9", ""));
    assertEquals(new MergeDecision.Wait(), follow("1-3 4-6 7-9", ""));
  }

  @Test
  void anIndexThatMergesOneOfThemWaits() {
    assertEquals(new MergeDecision.Wait(), follow("1-3 4-6 7-7 8-8 9-9", "8-8"));
  }

  @Test
  void waitingIsFollowedByWaiting() {
    IndexShape shape = new IndexShape(List.of(), List.of());
    assertEquals(new MergeDecision.Wait(), Correlation.follow(new MergeDecision.Wait(), shape));
  }

  private static MergeDecision follow(String components, String merging) {
    return Correlation.follow(
        LEADING,
        new IndexShape(
            ids(components).map(id -> new ComponentStats(id, 10, 1, 0, -1)).toList(),
            ids(merging).toList()));
  }

  private static MergeDecision merge(String... inputs) {
    return new MergeDecision.Merge(ids(String.join(" ", inputs)).toList());
  }

  private static Stream<ComponentId> ids(String text) {
    return Stream.of(text.split(" "))
        .filter(word -> !word.isEmpty())
        .map(word -> word.split("-"))
        .map(ends -> new ComponentId(Long.parseLong(ends[0]), Long.parseLong(ends[1])));
  }
}
