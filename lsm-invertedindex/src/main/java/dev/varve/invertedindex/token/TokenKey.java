package dev.varve.invertedindex.token;

import dev.varve.common.bytes.Slice;

/**
 * Keys of the entries of an inverted index, ⟨token, primary key⟩: a byte with the token's length,
 * the token, the primary key. The empty token stands for the document itself, so documents come
 * before all tokens; shorter tokens come before longer ones. Thread-safe: no state.
 *
 * <p>Format: docs/format/inverted.md.
 */
public final class TokenKey {
  /** Most bytes of a token: its length takes one byte. */
  public static final int MAX_TOKEN_BYTES = 0xFF;

  private TokenKey() {}

  /** Fills a slice with the key of a document's own entry. */
  public static Slice document(Slice primaryKey, Slice target) {
    byte[] key = new byte[1 + primaryKey.length()];
    System.arraycopy(primaryKey.bytes(), primaryKey.offset(), key, 1, primaryKey.length());
    return target.set(key, 0, key.length);
  }

  /** Whether a key has room for the token that it announces. */
  public static boolean isWellFormed(Slice key) {
    return key.length() > 0 && key.length() >= 1 + tokenBytes(key);
  }

  /** Whether a key is that of a document itself. */
  public static boolean isDocument(Slice key) {
    return tokenBytes(key) == 0;
  }

  /** Number of bytes of a key's token. */
  public static int tokenBytes(Slice key) {
    return key.bytes()[key.offset()] & 0xFF;
  }

  /** Points a slice at the token inside a key, its length included, and returns that slice. */
  public static Slice viewToken(Slice key, Slice target) {
    return target.set(key.bytes(), key.offset(), 1 + tokenBytes(key));
  }

  /** Points a slice at the primary key inside a key, and returns that slice. */
  public static Slice viewPrimaryKey(Slice key, Slice target) {
    int behind = 1 + tokenBytes(key);
    return target.set(key.bytes(), key.offset() + behind, key.length() - behind);
  }
}
