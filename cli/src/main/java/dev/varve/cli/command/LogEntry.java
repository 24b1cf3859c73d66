package dev.varve.cli.command;

import dev.varve.transaction.log.LogRecord;
import dev.varve.transaction.log.RecordType;
import java.util.Arrays;
import java.util.Locale;

/**
 * A record of a log as it is printed; its components are the fields of the JSON.
 *
 * @param node number of the engine
 * @param lsn position in the log
 * @param type {@code UPDATE}, {@code COMMIT}, {@code ABORT}, or {@code LONE_UPDATE}, which is a
 *     whole transaction
 * @param transaction number of the transaction; -1 of a lone update
 * @param operation {@code INSERT}, {@code UPSERT} or {@code DELETE}; empty where nothing is changed
 * @param place dataset, partition and index that are changed; empty where nothing is
 * @param key of the entry, as text or in hexadecimal behind {@code 0x}, cut behind 64 bytes
 * @param bytes length of the record
 */
record LogEntry(
    int node,
    long lsn,
    String type,
    long transaction,
    String operation,
    String place,
    String key,
    int bytes) {
  private static final int MOST_KEY_BYTES = 64;

  /** The record under a cursor. */
  static LogEntry of(int node, LogRecord record, IndexNames names) {
    boolean update = record.type().isUpdate();
    return new LogEntry(
        node,
        record.lsn(),
        record.type().name(),
        record.type() == RecordType.LONE_UPDATE ? -1 : record.transaction(),
        update ? record.operation().name() : "",
        update ? names.of(record.index()) : "",
        update ? key(record.key().toByteArray()) : "",
        record.length());
  }

  private static String key(byte[] key) {
    return key.length <= MOST_KEY_BYTES
        ? StoredEntry.text(key)
        : StoredEntry.text(Arrays.copyOf(key, MOST_KEY_BYTES)) + "\u2026";
  }

  /** A line for people. */
  String line() {
    return String.format(
            Locale.ROOT,
            "%d %12d %-11s %8s %6d B  %-6s %s %s",
            node,
            lsn,
            type,
            transaction < 0 ? "-" : Long.toString(transaction),
            bytes,
            operation,
            place,
            key)
        .stripTrailing();
  }
}
