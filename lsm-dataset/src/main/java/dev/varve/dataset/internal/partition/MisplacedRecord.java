package dev.varve.dataset.internal.partition;

import dev.varve.common.bytes.Slice;

/**
 * A copy of a record that lies in a partition where its primary key does not belong.
 *
 * @param key the encoded primary key that it lies under
 * @param record its bytes
 */
public record MisplacedRecord(Slice key, Slice record) {}
