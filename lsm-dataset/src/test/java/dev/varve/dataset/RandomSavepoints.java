package dev.varve.dataset;

import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.Savepoint;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * Has a transaction of a model test remember where it is, and go back there, now and then; the
 * model goes along.
 *
 * @param <M> the model
 */
final class RandomSavepoints<M> {
  private final StoreTransaction transaction;
  private final UnaryOperator<M> copy;
  private final RandomGenerator random;
  private final List<Savepoint> places = new ArrayList<>();
  private final List<M> models = new ArrayList<>();

  RandomSavepoints(StoreTransaction transaction, UnaryOperator<M> copy, RandomGenerator random) {
    this.transaction = transaction;
    this.copy = copy;
    this.random = random;
  }

  /** Does one or the other, or nothing; returns what the model is afterwards. */
  M next(M model) throws StorageException {
    int choice = random.nextInt(5);
    if (choice == 0) {
      places.add(transaction.savepoint());
      models.add(copy.apply(model));
    } else if (choice == 1 && !places.isEmpty()) {
      int place = random.nextInt(places.size());
      transaction.rollbackTo(places.get(place));
      places.subList(place + 1, places.size()).clear();
      models.subList(place + 1, models.size()).clear();
      return copy.apply(models.get(place));
    }
    return model;
  }
}
