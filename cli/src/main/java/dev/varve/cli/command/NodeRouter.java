package dev.varve.cli.command;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.engine.Dataset;
import dev.varve.dataset.record.ClusterPlace;
import dev.varve.dataset.record.RecordReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Says which node of a cluster at rest a record belongs to. Confined to one thread. */
final class NodeRouter {
  private final int nodes;

  /** Reads primary keys; null where there is no choice. */
  private final @Nullable RecordReader reader;

  NodeRouter(List<Dataset> nodes) {
    this.nodes = nodes.size();
    // A key is the same whatever was refused when it was stored, and the node refuses what is over
    // its limits.
    this.reader = nodes.size() == 1 ? null : RecordReader.ofStored(nodes.get(0).options().schema());
  }

  /**
   * The node of a record.
   *
   * @throws dev.varve.common.error.RequestException when it has no primary key
   */
  int nodeOf(Slice record) throws StorageException {
    if (reader == null) {
      return 0;
    }
    reader.readPrimaryKey(record);
    return ClusterPlace.node(reader.primaryKey(), nodes);
  }
}
