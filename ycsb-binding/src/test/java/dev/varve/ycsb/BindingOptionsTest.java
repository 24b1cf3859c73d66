package dev.varve.ycsb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.dataset.options.MergePolicyOptions;
import dev.varve.scheduler.admission.WriteGates;
import dev.varve.transaction.log.Durability;
import dev.varve.ycsb.BindingOptions.Insert;
import dev.varve.ycsb.BindingOptions.Update;
import java.nio.file.Path;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/** Properties become options, or all that is wrong with them is said at once. */
final class BindingOptionsTest {
  private static Properties properties(String... namesAndValues) {
    Properties properties = new Properties();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      properties.setProperty(namesAndValues[i], namesAndValues[i + 1]);
    }
    return properties;
  }

  @Test
  void theDirectoryIsEnough() {
    BindingOptions options = BindingOptions.of(properties("varve.dir", "/d", "recordcount", "5"));
    assertEquals(
        new BindingOptions(
            EngineOptions.of(Path.of("/d")), KeyValueOptions.DEFAULTS, Insert.BLIND, Update.MERGE),
        options);
  }

  @Test
  void everyPropertyCounts() {
    BindingOptions options =
        BindingOptions.of(
            properties(
                "varve.dir", "/d",
                "varve.cacheBytes", "20000000",
                "varve.memoryBytes", "800000000",
                "varve.durability", "power-loss",
                "varve.policy", "tiering(4) limit 36",
                "varve.gate", "controller",
                "varve.tuner", "silk-o",
                "varve.ioBytesPerSecond", "5000000",
                "varve.insert", "unique",
                "varve.update", "blind"));
    assertEquals(20_000_000, options.engine().components().cacheBytes());
    assertEquals(800_000_000, options.store().memoryBytes());
    assertEquals(800_000_000, options.engine().memory().activeDatasetBytes());
    assertEquals(Durability.POWER_LOSS, options.engine().sessions().durability());
    assertEquals(new MergePolicyOptions("tiering(4) limit 36"), options.store().mergePolicy());
    assertEquals(WriteGates.parse("controller"), options.engine().maintenance().writeGate());
    assertEquals("silk-o", options.engine().maintenance().tuner().describe());
    assertEquals(5_000_000, options.engine().maintenance().ioBytesPerSecond());
    assertEquals(Insert.UNIQUE, options.insert());
    assertEquals(Update.BLIND, options.update());
  }

  @Test
  void aTunerThatNeedsARateIsRefusedWithoutOne() {
    Properties silk = properties("varve.dir", "/d", "varve.tuner", "silk-d");
    String message =
        assertThrows(IllegalArgumentException.class, () -> BindingOptions.of(silk)).getMessage();
    assertTrue(String.valueOf(message).contains("needs ioBytesPerSecond"), message);
    Properties unknown = properties("varve.dir", "/d", "varve.tuner", "piano");
    message =
        assertThrows(IllegalArgumentException.class, () -> BindingOptions.of(unknown)).getMessage();
    assertTrue(
        String.valueOf(message).startsWith("varve.tuner piano is tuner 'piano': there is no tuner"),
        message);
  }

  @Test
  void updatesAreBlindWhereAllFieldsCome() {
    Properties all = properties("varve.dir", "/d", "writeallfields", "true");
    assertEquals(Update.BLIND, BindingOptions.of(all).update());
    all.setProperty("varve.update", "merge");
    assertEquals(Update.MERGE, BindingOptions.of(all).update());
  }

  @Test
  void allThatIsWrongIsSaidAtOnce() {
    Properties wrong =
        properties(
            "varve.cacheBytes", "2g",
            "varve.durability", "some",
            "varve.memoryBytes", "1",
            "varve.update", "MERGE");
    String message =
        assertThrows(IllegalArgumentException.class, () -> BindingOptions.of(wrong)).getMessage();
    assertEquals(
        "varve.dir is missing: the directory of the store; varve.cacheBytes 2g is no number of"
            + " bytes; varve.durability some is none of power-loss, process-crash, none;"
            + " varve.update MERGE is none of blind, merge; memoryBytes 1 is below 65536",
        message);
  }

  @Test
  void anUnknownPropertyIsRefused() {
    Properties wrong = properties("varve.dir", "/d", "varve.cache", "1");
    assertEquals(
        "varve.cache is not known; there are varve.dir, varve.cacheBytes, varve.memoryBytes,"
            + " varve.durability, varve.insert, varve.update, varve.policy, varve.gate,"
            + " varve.tuner, varve.ioBytesPerSecond",
        assertThrows(IllegalArgumentException.class, () -> BindingOptions.of(wrong)).getMessage());
  }
}
