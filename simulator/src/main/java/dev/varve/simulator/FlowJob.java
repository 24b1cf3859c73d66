package dev.varve.simulator;

/** A flush or a merge of a {@link FlowTree}, on its way. Confined to the simulation. */
final class FlowJob {
  /** What it is. */
  enum Kind {
    /** Memory becomes a component of level 0. */
    FLUSH,
    /** All of level 0 is merged with all of level 1. */
    LEVEL_ZERO,
    /** A component is merged with what it overlaps of the next level. */
    DEEPER
  }

  private final Kind kind;
  private final int level;
  private final int level0Components;
  private final Bytes bytes;
  private final double began;
  private double left;
  private double rate;

  /**
   * What moves.
   *
   * @param upper inputs of the level itself
   * @param lower inputs of the next one
   * @param output what is written
   */
  record Bytes(double upper, double lower, double output) {}

  private FlowJob(Kind kind, int level, int level0Components, Bytes bytes, double began) {
    this.kind = kind;
    this.level = level;
    this.level0Components = level0Components;
    this.bytes = bytes;
    this.began = began;
    this.left = kind == Kind.FLUSH ? bytes.output : bytes.upper + bytes.lower + bytes.output;
  }

  static FlowJob flush(double memoryBytes, double sealed) {
    return new FlowJob(Kind.FLUSH, -1, 0, new Bytes(0, 0, memoryBytes), sealed);
  }

  static FlowJob levelZero(int components, Bytes bytes, double began) {
    return new FlowJob(Kind.LEVEL_ZERO, 0, components, bytes, began);
  }

  static FlowJob deeper(int level, Bytes bytes, double began) {
    return new FlowJob(Kind.DEEPER, level, 0, bytes, began);
  }

  Kind kind() {
    return kind;
  }

  int level() {
    return level;
  }

  /** How many components of level 0 it merges. */
  int level0Components() {
    return level0Components;
  }

  Bytes bytes() {
    return bytes;
  }

  /** When it began; a flush, when its memory was sealed. */
  double began() {
    return began;
  }

  /** All that it reads and writes. */
  double size() {
    return kind == Kind.FLUSH ? bytes.output : bytes.upper + bytes.lower + bytes.output;
  }

  /** The part of what it moves that it writes. */
  double writtenPart() {
    return bytes.output / size();
  }

  double rate() {
    return rate;
  }

  void runAt(double bytesPerSecond) {
    rate = bytesPerSecond;
  }

  double secondsLeft() {
    return rate > 0 ? left / rate : Double.POSITIVE_INFINITY;
  }

  void advance(double seconds) {
    left -= rate * seconds;
  }

  boolean done() {
    return left <= MergeWork.NO_BYTES;
  }
}
