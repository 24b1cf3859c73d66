package dev.varve.common.component;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.varve.common.component.ComponentState.Event;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Goal: the life cycle allows its table and nothing else. Method: every pair of state and event.
 */
final class ComponentStateTest {
  private record Move(ComponentState from, Event event) {}

  private static final Map<Move, ComponentState> TABLE =
      Map.of(
          new Move(ComponentState.WRITABLE, Event.SEAL), ComponentState.SEALED,
          new Move(ComponentState.SEALED, Event.FLUSH_BEGINS), ComponentState.FLUSHING,
          new Move(ComponentState.FLUSHING, Event.FLUSH_FAILS), ComponentState.SEALED,
          new Move(ComponentState.FLUSHING, Event.FLUSH_ENDS), ComponentState.RETIRED,
          new Move(ComponentState.ACTIVE, Event.MERGE_BEGINS), ComponentState.MERGING,
          new Move(ComponentState.MERGING, Event.MERGE_FAILS), ComponentState.ACTIVE,
          new Move(ComponentState.MERGING, Event.MOVE_ENDS), ComponentState.ACTIVE,
          new Move(ComponentState.MERGING, Event.MERGE_ENDS), ComponentState.RETIRED);

  @Test
  void everyPairOfStateAndEventIsInTheTableOrRefused() {
    for (ComponentState from : ComponentState.values()) {
      for (Event event : Event.values()) {
        ComponentState expected = TABLE.get(new Move(from, event));
        if (expected == null) {
          assertThrows(IllegalStateException.class, () -> from.after(event), from + " " + event);
        } else {
          assertEquals(expected, from.after(event), from + " " + event);
        }
      }
    }
  }
}
