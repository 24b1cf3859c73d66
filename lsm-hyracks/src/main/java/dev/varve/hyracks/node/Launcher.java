package dev.varve.hyracks.node;

import dev.varve.common.env.FileSystem;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.StorageException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts the processes of a cluster, as the user of this one. No state but its paths. */
final class Launcher {
  private static final String CONFIGURATION = "cluster.conf";
  private static final String LOGS = "logs";
  private static final int SHOWN_LOG_BYTES = 2000;
  private static final int CONNECT_MILLIS = 200;

  private final FileSystem files;
  private final Path work;

  /**
   * A launcher.
   *
   * @param work the working directory of the cluster's controllers
   */
  Launcher(FileSystem files, Path work) {
    this.files = files;
    this.work = work;
  }

  /** What a process prints. */
  static Path log(Path work, String name) {
    return work.resolve(LOGS).resolve(name + ".log");
  }

  /** The last lines of what a process has printed. */
  static String endOfLog(FileSystem files, Path work, String name) throws StorageException {
    Path log = log(work, name);
    if (!files.exists(log)) {
      return "";
    }
    try (StorageFile file = files.open(log, OpenMode.READ_ONLY)) {
      long from = Math.max(0, file.size() - SHOWN_LOG_BYTES);
      byte[] bytes = new byte[SHOWN_LOG_BYTES];
      int length = file.read(from, bytes, 0, bytes.length);
      return new String(bytes, 0, Math.max(0, length), StandardCharsets.UTF_8);
    }
  }

  /** Whether anybody listens on a port. */
  static boolean listens(InetAddress address, int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(address, port), CONNECT_MILLIS);
      return true;
    } catch (IOException nobody) {
      return false;
    }
  }

  /** Writes the configuration file of Hyracks that all processes read. */
  void configure(ClusterOptions cluster, int clientPort, int clusterPort) throws StorageException {
    assert clientPort != clusterPort : clientPort;
    files.createDirectories(work.resolve(LOGS));
    List<String> lines = new ArrayList<>();
    lines.add(
        "; Written by 'varve cluster start'. Options of Hyracks and of Varve; see docs/CLUSTER.md.");
    lines.add("[common]");
    lines.add("log.dir=" + work.resolve(LOGS));
    lines.add("[cc]");
    lines.add("address=127.0.0.1");
    lines.add("client.listen.port=" + clientPort);
    lines.add("cluster.listen.port=" + clusterPort);
    lines.add("root.dir=" + work.resolve("controller"));
    lines.add("heartbeat.period=2000");
    lines.add("heartbeat.max.misses=5");
    lines.add("dead.node.sweep.threshold=1000");
    lines.add("[nc]");
    lines.add("app.class=" + NodeProcess.class.getName());
    lines.add("address=127.0.0.1");
    lines.add("ncservice.port=-1");
    lines.addAll(NodeOption.lines(cluster.engine()));
    for (int node = 0; node < cluster.shape().nodes(); node++) {
      String name = EmbeddedCluster.nodeName(node);
      files.createDirectories(work.resolve(name));
      lines.add("[nc/" + name + "]");
      lines.add("cluster.address=127.0.0.1");
      lines.add("cluster.port=" + clusterPort);
      lines.add("iodevices=" + work.resolve(name));
    }
    byte[] bytes = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
    Path path = work.resolve(CONFIGURATION);
    if (files.exists(path)) {
      files.delete(path);
    }
    try (StorageFile file = files.open(path, OpenMode.CREATE_NEW)) {
      file.write(0, bytes, 0, bytes.length);
      file.force();
    }
  }

  /** Starts a process; what it prints is appended to its log. */
  ProcessRecord.Started launch(String name, ClusterProcesses.Jvm jvm) throws JobFailedException {
    List<String> command = new ArrayList<>();
    command.add(jvm.java());
    command.add("-Xmx" + jvm.heap());
    command.add("-XX:+UseSerialGC");
    command.add("-XX:+ExitOnOutOfMemoryError");
    command.add("--add-opens=jdk.management/com.sun.management.internal=ALL-UNNAMED");
    command.add("-cp");
    command.add(jvm.classPath());
    if (name.equals(ClusterProcesses.CONTROLLER)) {
      command.add(ControllerProcess.class.getName());
    } else {
      command.addAll(List.of("org.apache.hyracks.control.nc.NCDriver", "-node-id", name));
    }
    command.addAll(List.of("-config-file", work.resolve(CONFIGURATION).toString()));
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log(work, name).toFile()))
              .start();
      return ProcessRecord.Started.of(name, process.toHandle());
    } catch (IOException failure) {
      throw new JobFailedException("the process of " + name + " could not be started", failure);
    }
  }
}
