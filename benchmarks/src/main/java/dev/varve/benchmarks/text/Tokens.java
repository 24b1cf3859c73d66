package dev.varve.benchmarks.text;

/** What texts are found by. */
public enum Tokens {
  /** Words. */
  WORDS,
  /** Every run of three characters. */
  GRAMS
}
