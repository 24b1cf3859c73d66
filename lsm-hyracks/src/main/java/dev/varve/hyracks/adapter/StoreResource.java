package dev.varve.hyracks.adapter;

import java.util.List;
import org.apache.hyracks.api.application.INCServiceContext;
import org.apache.hyracks.storage.common.IIndex;
import org.apache.hyracks.storage.common.IResource;

/** Describes one index: where it is, how many fields its tuples have, which are its key. */
final class StoreResource implements IResource {
  private static final long serialVersionUID = 1L;

  private String path;
  private final int fieldCount;
  private final List<KeyField> keyFields;

  StoreResource(String path, int fieldCount, List<KeyField> keyFields) {
    if (keyFields.isEmpty() || keyFields.size() > fieldCount) {
      throw new IllegalArgumentException(
          keyFields.size() + " key fields in tuples of " + fieldCount + " fields");
    }
    this.path = path;
    this.fieldCount = fieldCount;
    this.keyFields = List.copyOf(keyFields);
  }

  int fieldCount() {
    return fieldCount;
  }

  List<KeyField> keyFields() {
    return keyFields;
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
