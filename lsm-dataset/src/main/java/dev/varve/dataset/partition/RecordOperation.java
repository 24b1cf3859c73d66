package dev.varve.dataset.partition;

/** What is done to a record. */
enum RecordOperation {
  INSERT,
  UPSERT,
  DELETE
}
