package dev.varve.dataset.internal.partition;

import dev.varve.dataset.model.FilterRange;
import dev.varve.dataset.model.IndexSearch;

/**
 * What a secondary index of a partition is asked.
 *
 * @param secondary number of the index, from 0
 * @param search what
 * @param filter for which records
 * @param view what of them is seen
 */
record SecondarySearch(int secondary, IndexSearch search, FilterRange filter, ReadView view) {}
