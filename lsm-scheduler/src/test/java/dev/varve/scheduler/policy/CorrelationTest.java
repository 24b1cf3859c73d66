package dev.varve.scheduler.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.varve.common.component.ComponentId;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergeDecision;
import dev.varve.common.merge.MergePolicy;
import java.util.ArrayList;
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

  @Test
  void componentsThatTheLeadingIndexDoesNotSeparateBecomeOneOldestFirst() {
    assertEquals(merge("1-1", "2-2"), align("200 400", "90 205 310 395"));
    assertEquals(merge("2-2", "3-3", "4-4"), align("100 400", "104 205 310 395"));
  }

  @Test
  void numbersOfFlushesDoNotMatterWhenAnIndexWasNotFlushedWithTheOthers() {
    // The index has nothing of the second flush, and none of its own numbers fits the others'.
    assertEquals(merge("1-1", "2-2"), align("300 400", "95 310 402"));
    assertEquals(new MergeDecision.Wait(), align("100 200 300", "103 297"));
  }

  @Test
  void whatTheLeadingIndexHasNotFlushedYetWaits() {
    assertEquals(new MergeDecision.Wait(), align("100 200", "101 199 300 400"));
    assertEquals(new MergeDecision.Wait(), align("", "101 199"));
    assertEquals(new MergeDecision.Wait(), align("100", ""));
  }

  @Test
  void alignedIndexesStayAsTheyAre() {
    assertEquals(new MergeDecision.Wait(), align("100 200 300", "99 201 300"));
  }

  /** Component LSNs of the leading index and of the other one, oldest first. */
  private static MergeDecision align(String leading, String other) {
    return Correlation.align(lsns(leading), lsns(other));
  }

  private static IndexShape lsns(String text) {
    List<ComponentStats> components = new ArrayList<>();
    for (String lsn : text.split(" ")) {
      if (!lsn.isEmpty()) {
        long number = components.size() + 1L;
        components.add(
            new ComponentStats(new ComponentId(number, number), 10, 1, 0, Long.parseLong(lsn)));
      }
    }
    return new IndexShape(components, List.of());
  }

  @Test
  void aCorrelatedPolicyIsWrittenAroundAnother() {
    MergePolicy policy = PolicyText.parse("correlated(tiering(3) limit 30)");
    assertEquals("correlated(tiering(3) limit 30)", policy.describe());
    assertEquals(policy, PolicyText.parse("correlated:tiering:3 limit 30"));
    assertEquals(30, policy.componentLimit(lsns("1")));
    assertEquals(
        merge("1-1", "2-2"),
        ((CorrelatedPolicy) policy).following(() -> lsns("200")).decide(lsns("90 205")));
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
