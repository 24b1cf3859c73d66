package dev.varve.cli.command;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.error.StorageException;
import dev.varve.hyracks.node.Cluster;
import dev.varve.hyracks.node.ClusterProcesses;
import dev.varve.hyracks.node.JobFailedException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/**
 * The options of a command that works on a directory, or on a cluster that runs elsewhere. Filled
 * by picocli.
 */
final class TargetOptions extends OutputOptions {
  /** Where it is: one of these. */
  static final class Where {
    @Option(
        names = {"-d", "--dir"},
        required = true,
        paramLabel = "DIR",
        description = "Directory of a cluster, or of the one engine of a program.")
    @Nullable Path directory;

    @Option(
        names = "--cluster",
        required = true,
        paramLabel = "HOST:PORT",
        converter = Address.class,
        description = "A cluster that runs: where its controller listens for clients.")
    @Nullable InetSocketAddress controller;
  }

  /** {@code HOST:PORT}. */
  static final class Address implements ITypeConverter<InetSocketAddress> {
    @Override
    public InetSocketAddress convert(String text) {
      int colon = text.lastIndexOf(':');
      try {
        InetSocketAddress address =
            new InetSocketAddress(
                text.substring(0, Math.max(0, colon)), Integer.parseInt(text.substring(colon + 1)));
        if (colon > 0 && address.getPort() > 0 && !address.isUnresolved()) {
          return address;
        }
      } catch (IllegalArgumentException noPort) {
        // Told below, with what would be right.
        assert noPort != null;
      }
      throw new TypeConversionException("'" + text + "' is no HOST:PORT of a known host");
    }
  }

  @ArgGroup(exclusive = true, multiplicity = "1")
  private Where where = new Where();

  /** The directory; of a cluster elsewhere there is none. */
  Path directory() {
    Path directory = where.directory;
    if (directory == null) {
      throw new IllegalStateException("the cluster at " + where.controller + " runs elsewhere");
    }
    return directory;
  }

  /** Whether it is a cluster by its address, with no directory of this machine. */
  boolean isElsewhere() {
    return where.controller != null;
  }

  /** What was given, for messages and results. */
  String text() {
    InetSocketAddress controller = where.controller;
    return controller == null
        ? directory().toString()
        : controller.getHostString() + ":" + controller.getPort();
  }

  /** Whether nodes run as processes of their own. */
  boolean isRunning() throws StorageException {
    return isElsewhere() || new ClusterProcesses(directory()).isRunning();
  }

  /** Connects to such nodes. */
  @MustBeClosed
  Cluster connect() throws StorageException, JobFailedException {
    InetSocketAddress controller = where.controller;
    return controller == null
        ? new ClusterProcesses(directory()).connect()
        : Cluster.connect(controller);
  }

  /** Connects to such nodes, or starts the cluster of the directory in this process. */
  @MustBeClosed
  Cluster open() throws StorageException, JobFailedException {
    return isRunning() ? connect() : TweetCluster.start(directory());
  }
}
