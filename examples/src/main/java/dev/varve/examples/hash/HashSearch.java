package dev.varve.examples.hash;

import dev.varve.dataset.model.IndexSearch;
import dev.varve.dataset.model.Key;

/** The records that have a value. */
public record HashSearch(Key value) implements IndexSearch {}
