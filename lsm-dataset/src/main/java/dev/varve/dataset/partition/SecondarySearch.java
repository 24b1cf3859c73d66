package dev.varve.dataset.partition;

import dev.varve.dataset.search.FilterRange;
import dev.varve.dataset.search.IndexSearch;

/**
 * What a secondary index of a partition is asked.
 *
 * @param secondary number of the index, from 0
 * @param search what
 * @param filter for which records
 */
record SecondarySearch(int secondary, IndexSearch search, FilterRange filter) {}
