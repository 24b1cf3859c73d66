package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.dataset.options.MergePolicyOptions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: whatever call that changes the disk the power fails in, a transaction over two datasets,
 * their partitions and a key-value store is there as a whole or not at all, and is there if it was
 * acknowledged; the stores are flushed and merged at different times. Method: transfers between
 * accounts in all of them, and after each crash the balances are those of a prefix of the
 * transfers.
 */
@Tag("slow")
final class EngineTransactionCrashTest {
  private static final int ACCOUNTS = 9;
  private static final long START = 1000;
  private static final String FILLER = "x".repeat(4000);

  @Test
  void everyCrashLeavesWholeTransfers() throws Exception {
    Seeds.run(4, seed -> new Run(seed).run());
  }

  /** Accounts 0 to 2 are in one dataset, 3 to 5 in another, 6 to 8 in a key-value store. */
  private static final class Run {
    private final long seed;
    private final RandomGenerator random;
    private final RandomGenerator crashes;
    private final TestStore store;

    /** The acknowledged balances, then those after each commit that is not acknowledged yet. */
    private List<List<Long>> possible = new ArrayList<>(List.of(List.of()));

    private boolean filled;
    private int checked;

    Run(long seed) {
      this.seed = seed;
      this.random = Seeds.random(seed);
      this.crashes = Seeds.random(~seed);
      this.store = TestStore.empty(seed);
    }

    void run() throws StorageException {
      store.files.onOperation(this::checkCrash);
      StorageEngine engine = store.open();
      engine.createDataset(dataset("checking", 2));
      engine.createDataset(dataset("savings", 1));
      engine.createKeyValueStore("cash", KeyValueOptions.DEFAULTS.withMemoryBytes(512 << 10));
      List<Long> start = new ArrayList<>();
      try (EngineTransaction transaction = engine.beginTransaction()) {
        for (int account = 0; account < ACCOUNTS; account++) {
          set(engine, transaction, account, START);
          start.add(START);
        }
        possible.add(start);
        transaction.commit();
      }
      acknowledge();
      filled = true;
      for (int i = 0; i < 40; i++) {
        step(engine);
        if (i == 20) {
          engine.close();
          engine = store.open();
        }
      }
      assertEquals(possible.get(0), balances(engine));
      assertEquals(List.of(), engine.verify().problems());
      engine.close();
      store.files.onOperation(null);
      assertTrue(checked > 200, checked + " crash points");
    }

    private static DatasetOptions dataset(String name, int partitions) {
      return DatasetOptions.of(name, "id")
          .withIndexes(List.of(IndexDefinition.on("balance")))
          .withPartitions(partitions)
          .withMemoryBytes(512 << 10)
          .withMergePolicy(MergePolicyOptions.constant(3));
    }

    private void acknowledge() {
      possible = new ArrayList<>(List.of(possible.get(possible.size() - 1)));
    }

    private void step(StorageEngine engine) throws StorageException {
      switch (random.nextInt(8)) {
        case 0 -> engine.dataset("checking").flush();
        case 1 -> engine.dataset("savings").flush();
        case 2 -> engine.keyValueStore("cash").flush();
        case 3 -> store.executor.runUntilIdle();
        default -> transfer(engine);
      }
    }

    private void transfer(StorageEngine engine) throws StorageException {
      List<Long> after = new ArrayList<>(possible.get(possible.size() - 1));
      try (EngineTransaction transaction = engine.beginTransaction()) {
        RandomSavepoints<List<Long>> savepoints =
            new RandomSavepoints<>(transaction, ArrayList::new, random);
        for (int i = random.nextInt(3); i >= 0; i--) {
          after = savepoints.next(after);
          int from = random.nextInt(ACCOUNTS);
          int to = random.nextInt(ACCOUNTS);
          long amount = random.nextInt(100);
          after.set(from, after.get(from) - amount);
          after.set(to, after.get(to) + amount);
          set(engine, transaction, from, after.get(from));
          set(engine, transaction, to, after.get(to));
        }
        if (random.nextInt(4) > 0) {
          possible.add(after);
          transaction.commit();
          acknowledge();
        }
      } catch (ConflictException full) {
        // The memory is small enough for this to happen; the transaction was aborted.
        assertEquals(ConflictException.Reason.STALLED, full.reason());
      }
    }

    private static void set(
        StorageEngine engine, EngineTransaction transaction, int account, long balance)
        throws StorageException {
      if (account < 6) {
        String record =
            "{\"id\":" + account + ",\"balance\":" + balance + ",\"filler\":\"" + FILLER + "\"}";
        Dataset dataset = engine.dataset(account < 3 ? "checking" : "savings");
        transaction.of(dataset).upsert(TestStore.bytes(record));
      } else {
        KeyValueTransaction cash = transaction.of(engine.keyValueStore("cash"));
        cash.upsert(TestStore.bytes("" + account), TestStore.bytes(balance + " " + FILLER));
      }
    }

    /** All balances; empty while there are no accounts. */
    private static List<Long> balances(StorageEngine engine) throws StorageException {
      List<Long> balances = new ArrayList<>();
      for (int account = 0; account < ACCOUNTS; account++) {
        if (account < 6) {
          Dataset dataset = engine.dataset(account < 3 ? "checking" : "savings");
          if (dataset.get(Key.of(account)).isPresent()) {
            balances.add(balanceOf(dataset, account));
          }
        } else {
          engine
              .keyValueStore("cash")
              .get(TestStore.bytes("" + account))
              .map(value -> new String(value, StandardCharsets.UTF_8))
              .ifPresent(
                  text -> balances.add(Long.parseLong(text.substring(0, text.indexOf(' ')))));
        }
      }
      return balances;
    }

    /** The balance that the record has; the secondary index finds it by that. */
    private static long balanceOf(Dataset dataset, long account) throws StorageException {
      String json =
          TestStore.records(dataset.scan(ValueRange.all())).stream()
              .filter(record -> record.startsWith("{\"id\":" + account + ","))
              .findFirst()
              .orElseThrow();
      int begin = json.indexOf("balance\":") + "balance\":".length();
      long balance = Long.parseLong(json.substring(begin, json.indexOf(',', begin)));
      assertTrue(
          TestStore.records(dataset.search("balance", ValueRange.exactly(Key.of(balance))))
              .contains(json),
          () -> "the index lacks the balance of " + account);
      return balance;
    }

    private void checkCrash(MemoryFileSystem.Operation operation) {
      checked++;
      String where = "seed " + seed + ", crash in " + operation;
      TestStore left = new TestStore(store.files.crash(crashes), seed);
      try (StorageEngine engine = left.open()) {
        if (!filled && engine.names().size() < 3) {
          return;
        }
        List<Long> balances = balances(engine);
        assertTrue(
            possible.contains(balances),
            () -> where + ": balances " + balances + ", possible are " + possible);
        assertEquals(List.of(), engine.verify().problems(), where);
      } catch (StorageException e) {
        throw new AssertionError(where, e);
      }
    }
  }
}
