package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.varve.dataset.RegisterHistory.Operation;
import dev.varve.dataset.RegisterHistory.Saw;
import org.junit.jupiter.api.Test;

/** The judge of concurrent histories accepts what is right, and refuses what is not. */
class RegisterHistoryTest {
  private final RegisterHistory history = new RegisterHistory();

  private void put(long called, long returned, String value) {
    history.add(new Operation(called, returned, Saw.NOTHING, true, value));
  }

  private void get(long called, long returned, String value) {
    history.add(new Operation(called, returned, Saw.VALUE, false, value));
  }

  @Test
  void operationsInTurnAreExplained() {
    put(1, 2, "a");
    get(3, 4, "a");
    put(5, 6, null);
    get(7, 8, null);
    history.add(new Operation(9, 10, Saw.ABSENT, true, "b"));
    history.add(new Operation(11, 12, Saw.PRESENT, true, "c"));
    get(13, 14, "c");
    assertEquals(null, history.unexplained());
  }

  @Test
  void operationsAtOnceMayComeInAnyOrder() {
    put(1, 10, "a");
    put(2, 9, "b");
    get(3, 4, "b");
    get(5, 6, "a");
    get(11, 12, "a");
    assertEquals(null, history.unexplained());
  }

  @Test
  void aLostUpdateIsNotExplained() {
    put(1, 2, "a");
    put(3, 4, "b");
    get(5, 6, "a");
    assertNotNull(history.unexplained());
  }

  @Test
  void aChangeThatMissedAnotherIsNotExplained() {
    put(1, 2, "a");
    history.add(new Operation(3, 8, Saw.VALUE, "a", true, "ab"));
    history.add(new Operation(4, 9, Saw.VALUE, "ab", true, "abc"));
    get(10, 11, "abc");
    assertEquals(null, history.unexplained());
    history.add(new Operation(5, 7, Saw.VALUE, "a", true, "abd"));
    assertNotNull(history.unexplained());
  }

  @Test
  void aReadThatGoesBackIsNotExplained() {
    put(1, 2, "a");
    put(3, 20, "b");
    get(4, 5, "b");
    get(6, 7, "a");
    assertNotNull(history.unexplained());
  }

  @Test
  void anInsertOverWhatIsThereIsNotExplained() {
    put(1, 2, "a");
    history.add(new Operation(3, 4, Saw.ABSENT, true, "b"));
    assertNotNull(history.unexplained());
  }

  @Test
  void aReadOfWhatWasNeverWrittenIsNotExplained() {
    put(1, 2, "a");
    get(1, 9, "x");
    assertNotNull(history.unexplained());
  }
}
