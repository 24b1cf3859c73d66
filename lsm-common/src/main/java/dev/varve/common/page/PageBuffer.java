package dev.varve.common.page;

/**
 * A part of an array that a page is read into: cut from a block ({@link PageBlocks}), or an array
 * of its own.
 */
final class PageBuffer {
  private final byte[] bytes;
  private final int at;
  private final int length;

  PageBuffer(byte[] bytes, int at, int length) {
    this.bytes = bytes;
    this.at = at;
    this.length = length;
  }

  /** An array of so many bytes. */
  static PageBuffer alone(int length) {
    return new PageBuffer(new byte[length], 0, length);
  }

  byte[] bytes() {
    return bytes;
  }

  /** Where in the array it begins. */
  int at() {
    return at;
  }

  int length() {
    return length;
  }
}
