package dev.varve.hyracks.operator;

import dev.varve.common.bytes.Bytes;
import org.apache.hyracks.api.dataflow.value.IBinaryComparator;
import org.apache.hyracks.api.dataflow.value.IBinaryComparatorFactory;

/** Unsigned order of bytes, which is the order of encoded keys. Immutable. */
final class KeyOrder implements IBinaryComparatorFactory {
  private static final long serialVersionUID = 1L;

  @Override
  public IBinaryComparator createBinaryComparator() {
    return Bytes::compare;
  }
}
