package dev.varve.hyracks.adapter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.error.ConflictException;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import java.util.Optional;
import org.apache.hyracks.api.exceptions.ErrorCode;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.api.util.JavaSerializationUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Goal: operators find the codes they look for, and the engine's exception is never lost. */
final class StorageFailuresTest {
  @Test
  void usesTheCodesThatStockOperatorsLookFor() {
    assertTrue(conflict(ConflictException.Reason.DUPLICATE_KEY).matches(ErrorCode.DUPLICATE_KEY));
    assertTrue(
        conflict(ConflictException.Reason.NOT_EMPTY).matches(ErrorCode.LOAD_NON_EMPTY_INDEX));
    assertTrue(
        conflict(ConflictException.Reason.NAME_EXISTS)
            .matches(ErrorCode.CANNOT_CREATE_EXISTING_INDEX));
    assertTrue(
        request(RequestException.Reason.UNSORTED_INPUT).matches(ErrorCode.UNSORTED_LOAD_INPUT));
    assertTrue(
        request(RequestException.Reason.UNKNOWN_DATASET).matches(ErrorCode.INDEX_DOES_NOT_EXIST));
  }

  @ParameterizedTest
  @EnumSource(ConflictException.Reason.class)
  void keepsTheEnginesExceptionAsItsCause(ConflictException.Reason reason) {
    ConflictException failure = new ConflictException(reason, "here");
    HyracksDataException translated = StorageFailures.toHyracks(failure);
    assertSame(failure, StorageFailures.fromHyracks(translated).orElseThrow());
    assertSame(
        failure, StorageFailures.fromHyracks(new IllegalStateException(translated)).orElseThrow());
  }

  @Test
  void findsTheEnginesExceptionAfterATripBetweenProcesses() throws Exception {
    HyracksDataException sent = StorageFailures.toHyracks(new LimitException("key bytes", 9, 8));
    Object arrived = JavaSerializationUtils.deserialize(JavaSerializationUtils.serialize(sent));
    StorageException found =
        StorageFailures.fromHyracks((HyracksDataException) arrived).orElseThrow();
    assertEquals("key bytes: 9, at most 8", found.getMessage());
    assertTrue(found instanceof LimitException);
  }

  @Test
  void findsNothingInAFailureThatIsNotTheEngines() {
    assertEquals(Optional.empty(), StorageFailures.fromHyracks(new IllegalStateException("no")));
  }

  private static HyracksDataException conflict(ConflictException.Reason reason) {
    return StorageFailures.toHyracks(new ConflictException(reason, "here"));
  }

  private static HyracksDataException request(RequestException.Reason reason) {
    return StorageFailures.toHyracks(new RequestException(reason, "here"));
  }
}
