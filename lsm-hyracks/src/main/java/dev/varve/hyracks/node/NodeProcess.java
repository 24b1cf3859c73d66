package dev.varve.hyracks.node;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.LocalFileSystem;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.EngineSeams;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.OpeningOptions;
import dev.varve.hyracks.adapter.NodeStorage;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.hyracks.api.config.IConfigManager;
import org.apache.hyracks.control.nc.BaseNCApplication;
import org.jspecify.annotations.Nullable;

/**
 * The application of a node that is a process of its own, for Hyracks' {@code NCDriver}: {@code
 * -app-class dev.varve.hyracks.node.NodeProcess}. The node's storage is where the cluster's
 * directory has it: for the I/O device {@code D/hyracks/node-1} of the node {@code node-1} that is
 * {@code D/node-1}, and must be there, with its {@code node.json}. It is recovered before the node
 * registers, and closed with a checkpoint when the process is asked to end. Confined to the threads
 * by which Hyracks starts and stops the node.
 */
public final class NodeProcess extends BaseNCApplication {
  private volatile @Nullable NodeStorage storage;

  /** For Hyracks, before it makes the node. */
  public NodeProcess() {
    SerializationGuard.trustOtherProcesses();
    SerializationGuard.installForProcess();
  }

  @Override
  public void registerConfig(IConfigManager manager) {
    super.registerConfig(manager);
    NodeOption.register(manager);
  }

  @Override
  @SuppressWarnings("MustBeClosedChecker") // Kept in a field and closed by stop().
  public void start(String[] arguments) throws StorageException {
    Path device = ncServiceCtx.getIoManager().getIODevices().get(0).getMount().toPath();
    Path work = device.toAbsolutePath().getParent();
    Path cluster = work == null ? null : work.getParent();
    if (cluster == null) {
      throw new IllegalArgumentException("the I/O device " + device + " is in no cluster");
    }
    Path directory = cluster.resolve(ncServiceCtx.getNodeId());
    EngineOptions.Builder engine = EngineOptions.builder(directory.resolve(Cluster.STORE));
    NodeOption.apply(ncServiceCtx.getAppConfig(), engine);
    storage = open(directory, ncServiceCtx.getNodeId(), engine);
  }

  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // The result is the caller's to close.
  private static NodeStorage open(Path directory, String name, EngineOptions.Builder engine)
      throws StorageException {
    FileSystem files = new LocalFileSystem();
    Optional<NodeRecord> found = NodeRecord.read(files, directory);
    if (found.isEmpty() || !EmbeddedCluster.nodeName(found.get().node()).equals(name)) {
      throw new CorruptionException(
          directory.resolve(NodeRecord.FILE).toString(),
          -1,
          "does not say that this is " + name + "; put the node's own directory there");
    }
    NodeRecord record = found.get();
    EngineOptions options =
        engine
            .opening(OpeningOptions.DEFAULTS.withMustExist())
            .build()
            .withPlace(record.shape().place(record.node()));
    EngineSeams seams = Cluster.systemSeams();
    NodeStorage opened =
        NodeStorage.open(options, seams).withPartitions(record.shape().partitionsPerNode());
    if (opened.engine().storeId() == record.store()) {
      return opened;
    }
    opened.close();
    throw new CorruptionException(
        directory.toString(), -1, "holds a store that is not this node's; put its own store back");
  }

  @Override
  public void stop() throws StorageException {
    NodeStorage open = storage;
    storage = null;
    if (open != null) {
      open.close();
    }
  }

  @Override
  public @Nullable Object getApplicationContext() {
    return storage;
  }
}
