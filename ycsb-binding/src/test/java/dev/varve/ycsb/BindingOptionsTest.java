package dev.varve.ycsb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.KeyValueOptions;
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
                "varve.insert", "unique",
                "varve.update", "blind"));
    assertEquals(20_000_000, options.engine().components().cacheBytes());
    assertEquals(800_000_000, options.store().memoryBytes());
    assertEquals(800_000_000, options.engine().memory().activeDatasetBytes());
    assertEquals(Durability.POWER_LOSS, options.engine().sessions().durability());
    assertEquals(Insert.UNIQUE, options.insert());
    assertEquals(Update.BLIND, options.update());
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
            + " varve.durability, varve.insert, varve.update",
        assertThrows(IllegalArgumentException.class, () -> BindingOptions.of(wrong)).getMessage());
  }
}
