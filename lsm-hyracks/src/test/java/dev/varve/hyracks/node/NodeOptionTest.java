package dev.varve.hyracks.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.env.LocalFileSystem;
import dev.varve.dataset.options.EngineOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hyracks.api.config.IApplicationConfig;
import org.apache.hyracks.control.common.config.ConfigManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a node's engine has the options that the cluster was started with. Method: the file that
 * {@code varve cluster start} writes, read as Hyracks' drivers read it.
 */
final class NodeOptionTest {
  @TempDir private Path directory;

  private Path configuration(EngineOptions engine) throws Exception {
    new Launcher(new LocalFileSystem(), directory)
        .configure(new ClusterOptions(directory, new ClusterShape(2, 1), engine), 5001, 5002);
    return directory.resolve("cluster.conf");
  }

  private static IApplicationConfig node(Path configuration, String name) throws Exception {
    ConfigManager manager =
        new ConfigManager(new String[] {"-config-file", configuration.toString()});
    new ControllerProcess.Application().registerConfig(manager);
    manager.processConfig();
    return manager.getNodeEffectiveConfig(name);
  }

  private EngineOptions read(Path configuration, String name) throws Exception {
    EngineOptions.Builder engine = EngineOptions.builder(directory);
    NodeOption.apply(node(configuration, name), engine);
    return engine.build();
  }

  @Test
  void everyOptionArrives() throws Exception {
    EngineOptions given =
        EngineOptions.builder(directory)
            .text("durability", "PROCESS_CRASH")
            .ioBytesPerSecond(4_000_000)
            .text("mergeScheduler", "greedy(2, node)")
            .text("writeGate", "slow(0.5, 10m)")
            .text("tuner", "static(4, 16m)")
            .build();
    EngineOptions read = read(configuration(given), "node-1");
    assertEquals(given, read);
  }

  @Test
  void whatIsNotSaidIsAsUsual() throws Exception {
    Path configuration = configuration(EngineOptions.of(directory));
    Files.writeString(
        configuration,
        Files.readString(configuration)
            .replaceAll("(?m)^(durability|io|merge|write|tuner).*\n", ""));
    assertEquals(EngineOptions.of(directory), read(configuration, "node-0"));
  }

  @Test
  void aNodeMayHaveAnotherBudget() throws Exception {
    Path configuration =
        configuration(EngineOptions.builder(directory).ioBytesPerSecond(4_000_000).build());
    Files.writeString(
        configuration,
        Files.readString(configuration)
            .replace("[nc/node-1]\n", "[nc/node-1]\nio.bytes.per.second=2000000\n"));
    assertEquals(4_000_000, read(configuration, "node-0").maintenance().ioBytesPerSecond());
    assertEquals(2_000_000, read(configuration, "node-1").maintenance().ioBytesPerSecond());
  }

  @Test
  void whatCannotBeReadIsNamed() throws Exception {
    Path configuration = configuration(EngineOptions.of(directory));
    Files.writeString(
        configuration,
        Files.readString(configuration).replace("tuner=fixed", "tuner=the-best-there-is"));
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> read(configuration, "node-0"));
    assertTrue(
        String.valueOf(refused.getMessage()).contains("tuner=the-best-there-is"),
        refused::toString);
  }
}
