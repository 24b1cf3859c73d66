package dev.varve.hyracks.node;

import dev.varve.common.error.StorageException;
import java.util.concurrent.CountDownLatch;
import org.apache.hyracks.api.config.IConfigManager;
import org.apache.hyracks.control.cc.BaseCCApplication;
import org.apache.hyracks.control.common.config.ConfigManager;
import org.apache.hyracks.control.common.controllers.CCConfig;
import org.apache.logging.log4j.LogManager;

/**
 * A cluster controller as a process of its own, with the arguments and configuration file of
 * Hyracks' {@code CCDriver}. That one would open a console on every address of the machine, which
 * takes code from anybody; this one has none. The process runs until it is asked to end.
 */
final class ControllerProcess {
  private static final int FAILED = 1;

  private ControllerProcess() {}

  /** Runs the controller; ends the process with 1 when it can't be started. */
  public static void main(String[] arguments) {
    SerializationGuard.trustOtherProcesses();
    SerializationGuard.installForProcess();
    ConfigManager manager = new ConfigManager(arguments);
    BaseCCApplication application = new Application();
    application.registerConfig(manager);
    CCConfig config = new CCConfig(manager);
    try {
      ErrorTranslator.call(
          "the configuration is wrong",
          () -> {
            manager.processConfig();
            return true;
          });
      EmbeddedCluster.startController(config, application);
      new CountDownLatch(1).await();
    } catch (StorageException | JobFailedException | InterruptedException failure) {
      LogManager.getLogger().fatal("the cluster controller could not be started", failure);
      LogManager.shutdown();
      Runtime.getRuntime().halt(FAILED);
    }
  }

  /** The stock application, whose hook stops the controller when the process is asked to end. */
  static final class Application extends BaseCCApplication {
    @Override
    public void registerConfig(IConfigManager manager) {
      super.registerConfig(manager);
      NodeOption.register(manager);
    }
  }
}
