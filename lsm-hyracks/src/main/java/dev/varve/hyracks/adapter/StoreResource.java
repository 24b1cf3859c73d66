package dev.varve.hyracks.adapter;

import java.util.List;
import org.apache.hyracks.api.application.INCServiceContext;
import org.apache.hyracks.storage.common.IIndex;
import org.apache.hyracks.storage.common.IResource;

/** Describes one index to Hyracks: where it is, and what its tuples look like. */
final class StoreResource implements IResource {
  private static final long serialVersionUID = 3L;

  private String path;
  private final TupleDescription tuples;

  /** A B+-tree. */
  StoreResource(String path, int fieldCount, List<KeyField> keyFields) {
    this(path, new TupleDescription(IndexShape.BTREE, fieldCount, keyFields));
  }

  /** An index of any shape. */
  StoreResource(String path, TupleDescription tuples) {
    this.path = path;
    this.tuples = tuples;
  }

  TupleDescription tuples() {
    return tuples;
  }

  @Override
  public IIndex createInstance(INCServiceContext context) {
    return createInstance(NodeStorage.of(context));
  }

  StoreIndex createInstance(NodeStorage node) {
    return new StoreIndex(node.stores(), node.resources(), this);
  }

  @Override
  public String getPath() {
    return path;
  }

  @Override
  public void setPath(String newPath) {
    path = newPath;
  }
}
