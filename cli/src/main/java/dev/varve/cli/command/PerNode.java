package dev.varve.cli.command;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.Dataset;
import dev.varve.dataset.kind.RecordReader;
import dev.varve.dataset.model.ClusterPlace;
import dev.varve.dataset.options.DatasetOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What writes a dataset on each node of a cluster at rest, of which each record has one. Confined
 * to one thread.
 */
final class PerNode<T> implements AutoCloseable {
  private final List<T> writers = new ArrayList<>();

  /** Reads primary keys; null where there is no choice. */
  private final @Nullable RecordReader reader;

  private final ToIntFunction<Slice> nodeOf;
  private final Closer<T> closer;

  /** Opens what writes the dataset of a node; it is closed with the others. */
  @FunctionalInterface
  interface Opener<T> {
    T open(Dataset node) throws StorageException;
  }

  /** Closes one. */
  @FunctionalInterface
  interface Closer<T> {
    void close(T writer) throws StorageException;
  }

  /**
   * Some that are open.
   *
   * @param dataset what it is, or will be; null where there is no choice
   * @param place of one of the nodes
   * @param writers in the order of nodes
   */
  static <T> PerNode<T> of(
      @Nullable DatasetOptions dataset, ClusterPlace place, List<T> writers, Closer<T> closer) {
    PerNode<T> all =
        dataset == null
            ? new PerNode<>(null, key -> 0, closer)
            : new PerNode<>(
                RecordReader.ofStored(dataset.schema()),
                key -> place.nodeOf(key, dataset.partitions()),
                closer);
    all.writers.addAll(writers);
    return all;
  }

  private PerNode(@Nullable RecordReader reader, ToIntFunction<Slice> nodeOf, Closer<T> closer) {
    this.reader = reader;
    this.nodeOf = nodeOf;
    this.closer = closer;
  }

  /**
   * Opens all of them, or none.
   *
   * @param nodes the dataset on each node, in the order of nodes
   */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // the caller closes what is returned
  static <T> PerNode<T> open(List<Dataset> nodes, Opener<T> opener, Closer<T> closer)
      throws StorageException {
    // A key is the same whatever was refused when it was stored, and the node refuses what is over
    // its limits.
    PerNode<T> opened =
        new PerNode<>(
            nodes.size() == 1 ? null : RecordReader.ofStored(nodes.get(0).options().schema()),
            nodes.get(0)::nodeOf,
            closer);
    try {
      for (Dataset node : nodes) {
        opened.writers.add(opener.open(node));
      }
      return opened;
    } catch (StorageException | RuntimeException failure) {
      try {
        opened.close();
      } catch (StorageException second) {
        failure.addSuppressed(second);
      }
      throw failure;
    }
  }

  /** All of them, in the order of nodes. */
  List<T> all() {
    return writers;
  }

  /**
   * What writes the node of a record.
   *
   * @throws dev.varve.common.error.RequestException when it has no primary key
   */
  T of(Slice record) throws StorageException {
    if (reader == null) {
      return writers.get(0);
    }
    reader.readPrimaryKey(record);
    return writers.get(nodeOf.applyAsInt(reader.primaryKey()));
  }

  /** Closes all of them, whichever fails. */
  @Override
  public void close() throws StorageException {
    if (writers.isEmpty()) {
      return;
    }
    try {
      closer.close(writers.remove(writers.size() - 1));
    } finally {
      close();
    }
  }
}
