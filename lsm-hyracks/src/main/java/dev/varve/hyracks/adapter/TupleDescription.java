package dev.varve.hyracks.adapter;

import java.io.Serializable;
import java.util.List;

/**
 * What the tuples of an index look like. Immutable.
 *
 * @param shape the shape of the index
 * @param fieldCount how many fields each tuple has
 * @param keyFields the first of them, which are the key; of an R-tree the corners of its boxes, of
 *     an inverted index all fields
 */
record TupleDescription(IndexShape shape, int fieldCount, List<KeyField> keyFields)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /**
   * Checks the fields.
   *
   * @throws IllegalArgumentException when there are no key fields, more than the tuples have
   *     fields, or others than the shape takes
   */
  TupleDescription {
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
    keyFields = List.copyOf(keyFields);
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

  TupleCodec newCodec() {
    return new TupleCodec(keyFields, fieldCount);
  }
}
