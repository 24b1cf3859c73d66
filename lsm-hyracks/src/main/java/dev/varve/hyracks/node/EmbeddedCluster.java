package dev.varve.hyracks.node;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.error.StorageException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Timer;
import java.util.concurrent.Callable;
import org.apache.hyracks.api.application.ICCApplication;
import org.apache.hyracks.api.application.INCApplication;
import org.apache.hyracks.control.cc.BaseCCApplication;
import org.apache.hyracks.control.cc.ClusterControllerService;
import org.apache.hyracks.control.common.controllers.CCConfig;
import org.apache.hyracks.control.common.controllers.NCConfig;
import org.apache.hyracks.control.nc.NodeControllerService;

/**
 * A cluster controller and its node controllers in this JVM, on free loopback ports. Nodes are
 * named {@code node-0}, {@code node-1} and so on. Confined to the thread that starts and stops it.
 */
final class EmbeddedCluster implements AutoCloseable {
  private static final String LOOPBACK = "127.0.0.1";

  /** Without the web console, which would listen on every address and accept uploaded code. */
  private static final class Controller extends ClusterControllerService {
    private Controller(CCConfig config, ICCApplication application) throws Exception {
      super(config, application);
    }

    @Override
    protected void startWebServers() {}

    @Override
    protected void stopWebServers() {}
  }

  private static final class Application extends BaseCCApplication {
    /** The embedding program decides when the cluster stops, not a hook of the JVM. */
    @Override
    protected void installShutdownHook() {}
  }

  private final Path directory;
  private final CCConfig config = new CCConfig();
  private final List<Callable<Boolean>> stops = new ArrayList<>();

  private EmbeddedCluster(Path directory) {
    this.directory = directory;
  }

  /** Starts a controller that is the whole of a process. */
  static void startController(CCConfig config, ICCApplication application)
      throws StorageException, JobFailedException {
    ErrorTranslator.call(
        "the controller could not be started",
        () -> {
          new Controller(config, application).start();
          return true;
        });
  }

  /**
   * Starts the controllers; when it throws, none runs any more.
   *
   * @param directory where the controllers put their working files
   * @param applications what runs in each node; stopping a node stops its application
   */
  @MustBeClosed
  static EmbeddedCluster start(Path directory, List<? extends INCApplication> applications)
      throws StorageException, JobFailedException {
    SerializationGuard.install();
    // Constructing a node controller makes it this thread's handler of uncaught exceptions, which
    // ends the JVM; the thread gets its own back.
    Thread caller = Thread.currentThread();
    Thread.UncaughtExceptionHandler before = caller.getUncaughtExceptionHandler();
    EmbeddedCluster cluster = new EmbeddedCluster(directory);
    boolean started = false;
    try {
      ErrorTranslator.call(
          "the cluster could not be started",
          () -> {
            cluster.startController();
            for (int node = 0; node < applications.size(); node++) {
              cluster.startNode(nodeName(node), applications.get(node));
            }
            return true;
          });
      started = true;
      return cluster;
    } finally {
      caller.setUncaughtExceptionHandler(before == caller.getThreadGroup() ? null : before);
      if (!started) {
        cluster.close();
      }
    }
  }

  private void startController() throws Exception {
    try (ServerSocket client = new ServerSocket(0, 1, loopback());
        ServerSocket cluster = new ServerSocket(0, 1, loopback())) {
      // The controller can bind port 0, but can't tell which port it got.
      config.setClientListenPort(client.getLocalPort());
      config.setClusterListenPort(cluster.getLocalPort());
    }
    config.setClientListenAddress(LOOPBACK);
    config.setClusterListenAddress(LOOPBACK);
    config.setConsoleListenPort(0);
    config.setRootDir(directory.resolve("controller").toString());
    Controller controller = new Controller(config, new Application());
    controller.start();
    cancelInTheEnd(controller.getTimer());
    stops.add(
        () -> {
          controller.stop();
          return true;
        });
  }

  private void startNode(String name, INCApplication application) throws Exception {
    NCConfig node = new NCConfig(name);
    node.setClusterAddress(LOOPBACK);
    node.setClusterPort(config.getClusterListenPort());
    node.setClusterListenAddress(LOOPBACK);
    node.setDataListenAddress(LOOPBACK);
    node.setResultListenAddress(LOOPBACK);
    node.setMessagingListenAddress(LOOPBACK);
    node.setNCServicePort(-1);
    node.setIODevices(new String[] {directory.resolve(name).toString()});
    NodeControllerService service = new NodeControllerService(node, application);
    service.start();
    cancelInTheEnd(service.getTimer());
    stops.add(
        () -> {
          service.stop();
          return true;
        });
  }

  /**
   * Has a controller's timer cancelled, which Hyracks leaves running. The threads of its endpoints
   * can't be stopped.
   */
  private void cancelInTheEnd(Timer timer) {
    stops.add(
        () -> {
          timer.cancel();
          return true;
        });
  }

  static InetAddress loopback() {
    try {
      return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    } catch (UnknownHostException impossible) {
      throw new IllegalStateException("four bytes are an address", impossible);
    }
  }

  /** The name of a node in the cluster. */
  static String nodeName(int number) {
    return "node-" + number;
  }

  /** Where clients send their jobs. */
  InetSocketAddress clientAddress() {
    return new InetSocketAddress(loopback(), config.getClientListenPort());
  }

  /**
   * Stops the nodes and their applications, then the controller; all of them, whichever fails.
   * Idempotent.
   */
  @Override
  public void close() throws StorageException, JobFailedException {
    if (stops.isEmpty()) {
      return;
    }
    Callable<Boolean> next = stops.remove(stops.size() - 1);
    try {
      ErrorTranslator.call("the cluster could not be stopped cleanly", next);
    } catch (StorageException | JobFailedException first) {
      try {
        close();
      } catch (StorageException | JobFailedException second) {
        first.addSuppressed(second);
      }
      throw first;
    }
    close();
  }
}
