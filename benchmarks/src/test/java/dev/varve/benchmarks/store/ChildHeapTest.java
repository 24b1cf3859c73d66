package dev.varve.benchmarks.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Goal: no store gets a JVM that the others do not get. Method: the arguments of each. */
final class ChildHeapTest {
  @ParameterizedTest
  @EnumSource
  void everyStoreHasAHeapAndTheDoorsOfItsLibraryAndNothingElse(StoreKind kind) {
    StoreSettings settings =
        new StoreSettings(
            Path.of("x"), StoreDurability.NONE, new StoreMemory(2L << 30, 128L << 20), 100);
    List<String> arguments = kind.jvmArguments(settings);
    assertTrue(arguments.get(0).startsWith("-Xmx"), arguments::toString);
    for (String argument : arguments.subList(1, arguments.size())) {
      boolean door = argument.startsWith("--add-opens=") || argument.startsWith("-Dlmdbjava.");
      assertTrue(door, argument);
    }
  }

  @Test
  void theHeapHoldsTheStoreAndAQuarterMore() {
    assertEquals(List.of("-Xmx%dm".formatted(1280 + 256)), ChildHeap.arguments(1L << 30));
  }
}
