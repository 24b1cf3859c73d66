package dev.varve.benchmarks.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.Immutable;
import java.util.Arrays;
import org.apache.hyracks.api.dataflow.value.IBinaryComparator;
import org.apache.hyracks.api.dataflow.value.IBinaryComparatorFactory;
import org.apache.hyracks.api.io.IPersistedResourceRegistry;

/** Unsigned bytes, as all other stores order keys; Hyracks' own order of raw bytes is signed. */
@Immutable
final class AsterixDbKeyOrder implements IBinaryComparatorFactory {
  private static final long serialVersionUID = 1;

  @Override
  public IBinaryComparator createBinaryComparator() {
    return AsterixDbKeyOrder::compare;
  }

  private static int compare(
      byte[] left, int leftStart, int leftLength, byte[] right, int rightStart, int rightLength) {
    return Arrays.compareUnsigned(
        left, leftStart, leftStart + leftLength, right, rightStart, rightStart + rightLength);
  }

  @Override
  public JsonNode toJson(IPersistedResourceRegistry registry) {
    throw new UnsupportedOperationException("the index is opened anew, and not from a description");
  }
}
