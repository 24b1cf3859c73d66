package dev.varve.benchmarks.text;

/** What texts are found by. */
enum Tokens {
  /** Words. */
  WORDS,
  /** Every run of three characters. */
  GRAMS
}
