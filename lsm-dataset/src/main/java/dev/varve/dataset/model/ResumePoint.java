package dev.varve.dataset.model;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Crc32c;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.RequestException;

/**
 * Where a query goes on, as bytes: which they are, the direction, the number of the index, the key
 * in it behind which the query goes on, and a checksum. Numbers of indexes are never given again,
 * so that no token is taken for one of another dataset or index. Immutable.
 *
 * @param index number of the index
 * @param query what is asked
 */
record ResumePoint(int index, RecordQuery query) {
  private static final byte VERSION = 1;
  private static final int HEAD_BYTES = 2 + Integer.BYTES;
  private static final int CHECKSUM_BYTES = Integer.BYTES;

  /** The bytes for a place. */
  byte[] token(Slice key) {
    byte[] token = new byte[HEAD_BYTES + key.length() + CHECKSUM_BYTES];
    putHead(token);
    System.arraycopy(key.bytes(), key.offset(), token, HEAD_BYTES, key.length());
    int end = token.length - CHECKSUM_BYTES;
    Bytes.putInt(token, end, checksum(token, end));
    return token;
  }

  private void putHead(byte[] token) {
    assert token.length >= HEAD_BYTES : token.length;
    token[0] = VERSION;
    token[1] = (byte) (query.descending() ? 1 : 0);
    Bytes.putInt(token, 2, index);
  }

  private static int checksum(byte[] token, int end) {
    return new Crc32c().update(token, 0, end).value();
  }

  /**
   * The place that a token is for.
   *
   * @throws RequestException with {@code INVALID_TOKEN}
   */
  byte[] position(Slice given) throws RequestException {
    byte[] token = given.toByteArray();
    int end = token.length - CHECKSUM_BYTES;
    if (end < HEAD_BYTES
        || token[0] != VERSION
        || Bytes.getInt(token, end) != checksum(token, end)) {
      throw invalid("is none, or was damaged; keep the bytes of resumeToken as they are");
    }
    byte[] head = new byte[HEAD_BYTES];
    putHead(head);
    if (Bytes.compare(head, 0, HEAD_BYTES, token, 0, HEAD_BYTES) != 0) {
      throw invalid(
          "is of a query of another dataset, by another index or in the other direction; give it to"
              + " the query whose cursor has told it");
    }
    Slice key = new Slice().set(token, HEAD_BYTES, end - HEAD_BYTES);
    if (!query.range().contains(key)) {
      throw invalid("is of a record outside of the range " + query.range());
    }
    return key.toByteArray();
  }

  private static RequestException invalid(String why) {
    return new RequestException(
        RequestException.Reason.INVALID_TOKEN, "the token that a query is to go on after " + why);
  }
}
