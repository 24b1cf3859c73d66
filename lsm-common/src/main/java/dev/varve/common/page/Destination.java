package dev.varve.common.page;

/** Where whoever reads a new component next finds its pages. */
public enum Destination {
  /** In the system's cache, through which they are written. */
  SYSTEM_CACHE,
  /** On the device: they are written past the system's cache. */
  DEVICE,
  /** In the buffer cache, where each is kept as it is written past the system's. */
  BUFFER_CACHE
}
