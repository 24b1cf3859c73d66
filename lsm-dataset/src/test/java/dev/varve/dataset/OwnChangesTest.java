package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.varve.btree.KeyRange;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.IndexMaintenance;
import dev.varve.dataset.options.KeyValueOptions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: scans and searches of a transaction see what it has changed, and of others what is
 * committed, while others see nothing of it. Method: a model of both, with aborts of other
 * transactions in between, which make readers look twice.
 */
final class OwnChangesTest {
  private static final int PEOPLE = 30;
  private static final List<String> CITIES = List.of("London", "Paris", "Rome");

  private record Person(long id, String city) {
    String json() {
      return new String(TestStore.person(id, "p" + id, city, 3), StandardCharsets.UTF_8);
    }
  }

  @ParameterizedTest
  @EnumSource
  void scansAndSearchesSeeOwnChanges(IndexMaintenance maintenance) throws Exception {
    Seeds.run(5, seed -> run(seed, maintenance));
  }

  private static void run(long seed, IndexMaintenance maintenance) throws StorageException {
    RandomGenerator random = Seeds.random(seed);
    TestStore store = TestStore.empty(seed);
    try (StorageEngine engine = store.open()) {
      Dataset people =
          engine.createDataset(
              TestStore.people()
                  .withPartitions(2)
                  .withMaintenance(maintenance)
                  .withMemoryBytes(2 << 20));
      Map<Long, Person> committed = new TreeMap<>();
      for (int round = 0; round < 8; round++) {
        Map<Long, Person> own = new TreeMap<>(committed);
        try (RecordTransaction transaction = people.beginTransaction()) {
          for (int change = 0; change < 10; change++) {
            change(random, transaction, own);
            RecordCursor scan = transaction.scan(ValueRange.all());
            if (random.nextInt(3) == 0) {
              // What the cursor reads from here on it has to look at twice.
              abortAnother(people);
            }
            check(own.values(), scan);
            check(committed.values(), people.scan(ValueRange.all()));
            for (String city : CITIES) {
              check(of(own, city), transaction.search("home", exactly(city)));
              check(of(committed, city), people.search("home", exactly(city)));
            }
          }
          if (random.nextBoolean()) {
            transaction.commit();
            committed = own;
          }
        }
        if (random.nextInt(3) == 0) {
          people.flush();
        }
      }
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  private static void change(
      RandomGenerator random, RecordTransaction transaction, Map<Long, Person> own)
      throws StorageException {
    long id = random.nextInt(PEOPLE);
    if (random.nextInt(3) == 0) {
      transaction.delete(Key.of(id));
      own.remove(id);
    } else {
      Person person = new Person(id, CITIES.get(random.nextInt(CITIES.size())));
      transaction.upsert(TestStore.bytes(person.json()));
      own.put(id, person);
    }
  }

  /** It changes a record that the other transaction never does. */
  private static void abortAnother(Dataset people) throws StorageException {
    try (RecordTransaction other = people.beginTransaction()) {
      other.upsert(TestStore.person(PEOPLE + 1, "other", "London", 3));
      other.abort();
    }
  }

  private static KeyRange exactly(String city) {
    return ValueRange.exactly(Key.of(city));
  }

  private static List<Person> of(Map<Long, Person> people, String city) {
    return people.values().stream().filter(person -> person.city().equals(city)).toList();
  }

  private static void check(Collection<Person> expected, RecordCursor found)
      throws StorageException {
    List<String> records = new ArrayList<>(TestStore.records(found));
    records.sort(null);
    assertEquals(expected.stream().map(Person::json).sorted().toList(), records);
  }

  @Test
  void aScanOfPairsSeesOwnChanges() throws StorageException {
    TestStore store = TestStore.empty(7);
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs =
          engine.createKeyValueStore("pairs", KeyValueOptions.DEFAULTS.withMemoryBytes(1 << 20));
      pairs.put(TestStore.bytes("a"), TestStore.bytes("old"));
      pairs.put(TestStore.bytes("b"), TestStore.bytes("old"));
      try (KeyValueTransaction transaction = pairs.beginTransaction()) {
        transaction.upsert(TestStore.bytes("a"), TestStore.bytes("new"));
        transaction.delete(TestStore.bytes("b"));
        transaction.insert(TestStore.bytes("c"), TestStore.bytes("new"));
        assertEquals(List.of("new", "new"), TestStore.records(transaction.scan(KeyRange.all())));
        assertEquals(List.of("old", "old"), TestStore.records(pairs.scan(KeyRange.all())));
      }
    }
  }
}
