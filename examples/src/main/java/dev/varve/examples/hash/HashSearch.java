package dev.varve.examples.hash;

import dev.varve.dataset.record.Key;
import dev.varve.dataset.search.IndexSearch;

/** The records that have a value. */
public record HashSearch(Key value) implements IndexSearch {}
