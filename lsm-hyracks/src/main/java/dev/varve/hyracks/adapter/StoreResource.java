package dev.varve.hyracks.adapter;

import java.util.List;
import org.apache.hyracks.api.application.INCServiceContext;
import org.apache.hyracks.storage.common.IIndex;
import org.apache.hyracks.storage.common.IResource;

/**
 * Describes one index: where it is, its shape, how many fields its tuples have, which are its key.
 */
final class StoreResource implements IResource {
  private static final long serialVersionUID = 2L;

  private String path;
  private final IndexShape shape;
  private final int fieldCount;
  private final List<KeyField> keyFields;

  /** A B+-tree. */
  StoreResource(String path, int fieldCount, List<KeyField> keyFields) {
    this(path, IndexShape.BTREE, fieldCount, keyFields);
  }

  /** An index of any shape; of an R-tree the key fields are the corners of its boxes. */
  StoreResource(String path, IndexShape shape, int fieldCount, List<KeyField> keyFields) {
    if (keyFields.isEmpty() || keyFields.size() > fieldCount) {
      throw new IllegalArgumentException(
          keyFields.size() + " key fields in tuples of " + fieldCount + " fields");
    }
    switch (shape) {
      case BTREE -> {
        // Any key will do.
      }
      case RTREE -> requireCorners(keyFields);
      case INVERTED, PARTITIONED_INVERTED -> requirePairs(shape, fieldCount, keyFields);
    }
    this.path = path;
    this.shape = shape;
    this.fieldCount = fieldCount;
    this.keyFields = List.copyOf(keyFields);
  }

  private static void requireCorners(List<KeyField> corners) {
    if (corners.size() % 2 != 0 || !corners.stream().allMatch(KeyField::isNumber)) {
      throw new IllegalArgumentException(
          "corners of boxes are as many low as high numbers, not " + corners);
    }
  }

  private static void requirePairs(IndexShape shape, int fieldCount, List<KeyField> fields) {
    if (fields.size() != fieldCount || fieldCount <= shape.tokenFields()) {
      throw new IllegalArgumentException(
          "in an inverted index every field is of the key, some behind the token's: " + fields);
    }
    if (shape == IndexShape.PARTITIONED_INVERTED && fields.get(1) != KeyField.SHORT) {
      throw new IllegalArgumentException("a number of tokens is a short, not " + fields.get(1));
    }
  }

  int fieldCount() {
    return fieldCount;
  }

  IndexShape shape() {
    return shape;
  }

  List<KeyField> keyFields() {
    return keyFields;
  }

  TupleCodec newCodec() {
    return new TupleCodec(keyFields, fieldCount);
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
