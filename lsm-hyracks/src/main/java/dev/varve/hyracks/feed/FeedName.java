package dev.varve.hyracks.feed;

import dev.varve.common.bytes.KeyEncoder;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.StorageEngine;
import java.io.Serializable;

/**
 * What the positions of a feed are kept under: a feed that is called again by its name goes on
 * where it was. Immutable.
 *
 * @param dataset the dataset that it writes
 * @param feed the feed's own name, from 1 to 200 characters
 */
public record FeedName(String dataset, String feed) implements Serializable {
  private static final long serialVersionUID = 1L;

  /** How many fields {@link #key} has. */
  static final int KEY_FIELDS = 3;

  private static final int MOST_CHARACTERS = 200;

  /** Checks the length. */
  public FeedName {
    if (feed.isEmpty() || feed.length() > MOST_CHARACTERS) {
      throw new IllegalArgumentException(
          "the name of a feed has 1 to " + MOST_CHARACTERS + " characters");
    }
  }

  /** The key: a dataset that was dropped and made again has another number. */
  KeyEncoder key(StorageEngine engine) throws StorageException {
    return new KeyEncoder()
        .addString(dataset)
        .addLong(engine.dataset(dataset).number())
        .addString(feed);
  }
}
