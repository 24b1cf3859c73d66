package dev.varve.it.cli;

import dev.varve.common.error.StorageException;
import dev.varve.dataset.Dataset;
import dev.varve.dataset.EngineSnapshot;
import dev.varve.dataset.EngineTransaction;
import dev.varve.dataset.KeyValueStore;
import dev.varve.dataset.StorageEngine;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.KeyValueOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/** The transaction of the README: what is between the marks stands there, line by line. */
final class TransactionExample {
  private TransactionExample() {}

  // begin
  static void transfer(Path directory) throws StorageException {
    try (StorageEngine engine = StorageEngine.open(directory)) {
      Dataset orders = engine.openDataset(DatasetOptions.of("orders", "id"));
      Dataset invoices = engine.openDataset(DatasetOptions.of("invoices", "order"));
      KeyValueStore counters = engine.openKeyValueStore("counters", KeyValueOptions.DEFAULTS);

      try (EngineTransaction transaction = engine.beginTransaction()) {
        transaction.of(orders).upsert(utf8("{\"id\": 7, \"state\": \"billed\"}"));
        transaction.of(invoices).upsert(utf8("{\"order\": 7, \"cents\": 4200}"));
        transaction.of(counters).update(utf8("invoices"), TransactionExample::plusOne);
        transaction.commit();
      }

      try (EngineSnapshot snapshot = engine.snapshot()) {
        invoices.delete(Key.of(7));
        System.out.println(text(snapshot.get(invoices, Key.of(7)).orElseThrow()));
        System.out.println(text(snapshot.get(counters, utf8("invoices")).orElseThrow()));
      }
    }
  }

  private static Optional<byte[]> plusOne(Optional<byte[]> count) {
    int before = count.map(bytes -> Integer.parseInt(text(bytes))).orElse(0);
    return Optional.of(utf8(Integer.toString(before + 1)));
  }

  // end

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] utf8) {
    return new String(utf8, StandardCharsets.UTF_8);
  }
}
