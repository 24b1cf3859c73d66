package dev.varve.dataset.internal.partition;

import dev.varve.dataset.model.FilterRange;
import dev.varve.dataset.model.IndexSearch;
import dev.varve.transaction.lock.LockOwner;
import org.jspecify.annotations.Nullable;

/**
 * What a secondary index of a partition is asked.
 *
 * @param secondary number of the index, from 0
 * @param search what
 * @param filter for which records
 * @param reader whose own changes are seen; null for a reader that has none
 */
record SecondarySearch(
    int secondary, IndexSearch search, FilterRange filter, @Nullable LockOwner reader) {}
