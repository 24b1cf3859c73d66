package dev.varve.common.bytes;

/** The types of key values, in the order in which values of different types compare. */
public enum KeyType {
  /** No value. */
  NULL,
  /** {@code false} before {@code true}. */
  BOOLEAN,
  /** Longs and doubles, in one numeric order. */
  NUMBER,
  /** Text, in the order of its code points. */
  STRING,
  /** Byte strings, unsigned. */
  BYTES
}
