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
import org.apache.hyracks.api.application.INCApplication;
import org.apache.hyracks.control.common.controllers.CCConfig;
import org.apache.hyracks.control.common.controllers.NCConfig;
import org.apache.hyracks.control.nc.NodeControllerService;
import org.jspecify.annotations.Nullable;

/**
 * A cluster controller and its node controllers in this JVM, on free loopback ports. Nodes are
 * named {@code node-0}, {@code node-1} and so on. Confined to the thread that starts and stops it.
 */
final class EmbeddedCluster implements AutoCloseable {
  private static final String LOOPBACK = "127.0.0.1";

  private interface Stop {
    void run() throws Exception;
  }

  private final Path directory;
  private final List<NodeControllerService> nodes = new ArrayList<>();
  private final CCConfig config = new CCConfig();
  private final Controller controller;
  private boolean closed;

  private EmbeddedCluster(Path directory) throws Exception {
    this.directory = directory;
    InetAddress loopback = loopback();
    try (ServerSocket client = new ServerSocket(0, 1, loopback);
        ServerSocket cluster = new ServerSocket(0, 1, loopback)) {
      // The controller can bind port 0, but can't tell which port it got.
      config.setClientListenPort(client.getLocalPort());
      config.setClusterListenPort(cluster.getLocalPort());
    }
    config.setClientListenAddress(LOOPBACK);
    config.setClusterListenAddress(LOOPBACK);
    config.setConsoleListenPort(0);
    config.setRootDir(directory.resolve("controller").toString());
    controller = new Controller(config);
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
    // Constructing a node controller makes it this thread's handler of uncaught exceptions, which
    // ends the JVM; the thread gets its own back.
    Thread caller = Thread.currentThread();
    Thread.UncaughtExceptionHandler before = caller.getUncaughtExceptionHandler();
    EmbeddedCluster started = null;
    try {
      started = new EmbeddedCluster(directory);
      started.controller.start();
      for (int node = 0; node < applications.size(); node++) {
        started.startNode(nodeName(node), applications.get(node));
      }
      return started;
    } catch (Exception failure) {
      Exception second = started == null ? null : started.stop();
      if (second != null) {
        failure.addSuppressed(second);
      }
      throw JobFailures.of("the cluster could not be started", failure);
    } finally {
      caller.setUncaughtExceptionHandler(before == caller.getThreadGroup() ? null : before);
    }
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
    nodes.add(service);
  }

  /** The name of a node in the cluster. */
  static String nodeName(int number) {
    return "node-" + number;
  }

  private static InetAddress loopback() {
    try {
      return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    } catch (UnknownHostException impossible) {
      throw new IllegalStateException("four bytes are an address", impossible);
    }
  }

  /** Where clients send their jobs. */
  InetSocketAddress clientAddress() {
    return new InetSocketAddress(loopback(), config.getClientListenPort());
  }

  /** Stops the nodes and their applications, then the controller; idempotent. */
  @Override
  public void close() throws StorageException, JobFailedException {
    Exception failure = stop();
    if (failure != null) {
      throw JobFailures.of("the cluster could not be stopped cleanly", failure);
    }
  }

  private @Nullable Exception stop() {
    if (closed) {
      return null;
    }
    closed = true;
    Exception first = null;
    for (NodeControllerService node : nodes) {
      first = stopOne(node::stop, first);
    }
    return stopOne(controller::stop, first);
  }

  private static @Nullable Exception stopOne(Stop stop, @Nullable Exception first) {
    try {
      stop.run();
      return first;
    } catch (Exception failure) {
      if (first == null) {
        return failure;
      }
      first.addSuppressed(failure);
      return first;
    }
  }
}
