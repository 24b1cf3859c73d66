package dev.varve.hyracks.operator;

import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Bytes;
import org.apache.hyracks.api.dataflow.value.IBinaryComparator;
import org.apache.hyracks.api.dataflow.value.IBinaryComparatorFactory;

/** Unsigned order of bytes, which is the order of encoded keys, or its reverse. Immutable. */
final class KeyOrder implements IBinaryComparatorFactory {
  private static final long serialVersionUID = 1L;

  private final KeyRange.Direction direction;

  KeyOrder(KeyRange.Direction direction) {
    this.direction = direction;
  }

  @Override
  public IBinaryComparator createBinaryComparator() {
    return switch (direction) {
      case ASCENDING -> Bytes::compare;
      case DESCENDING ->
          (left, leftAt, leftLength, right, rightAt, rightLength) ->
              Bytes.compare(right, rightAt, rightLength, left, leftAt, leftLength);
    };
  }
}
