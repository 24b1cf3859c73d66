package dev.varve.hyracks.adapter;

import dev.varve.common.bytes.KeyDecoder;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.ClusterPlace;
import dev.varve.dataset.model.Key;
import dev.varve.rtree.geometry.Rectangle;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.apache.hyracks.util.encoding.VarLenIntEncoderDecoder;

/**
 * Turns tuples of a spatial index into records of a dataset and back. A record is {@code
 * {"t":"0.…","p":[minX,minY,maxX,maxY]}}: the whole tuple, which is its identity, in Base64, and
 * the first two dimensions of its box. Which node a tuple is on is the affair of the job that sent
 * it there, but a node's engine takes only records whose key is the node's; so the text begins with
 * the least number that makes it so, and a dot. Confined to its owner, reused.
 */
final class PlaceCodec {
  /** More than this many keys in a row of other nodes does not happen. */
  private static final int MOST_TRIES = 1 << 20;

  /** Of the dataset of an index, on each node. */
  private static final int PARTITIONS = 1;

  private static final char DOT = '.';

  private final List<KeyField> coordinates;
  private final int fieldCount;
  private final ClusterPlace place;
  private final ByteSink bytes = new ByteSink();
  private final KeyDecoder decoder = new KeyDecoder();

  PlaceCodec(TupleDescription tuples, ClusterPlace place) {
    this.coordinates = tuples.keyFields();
    this.fieldCount = tuples.fieldCount();
    this.place = place;
  }

  int dimensions() {
    assert coordinates.size() % 2 == 0 : coordinates;
    return coordinates.size() / 2;
  }

  /** The primary key of a tuple's record. */
  Key key(ITupleReference tuple) throws HyracksDataException {
    if (tuple.getFieldCount() < fieldCount) {
      throw StorageFailures.refused(
          "a tuple of " + tuple.getFieldCount() + " fields for an index of " + fieldCount);
    }
    bytes.clear();
    for (int field = 0; field < fieldCount; field++) {
      int length = tuple.getFieldLength(field);
      bytes.addHyracksLength(length);
      bytes.add(tuple.getFieldData(field), tuple.getFieldStart(field), length);
    }
    String text = DOT + Base64.getEncoder().withoutPadding().encodeToString(bytes.toByteArray());
    for (int number = 0; number < MOST_TRIES; number++) {
      Key key = Key.of(number + text);
      if (place.holds(key.toSlice(), PARTITIONS)) {
        return key;
      }
    }
    throw StorageFailures.refused("no key of a tuple is one of " + place);
  }

  /**
   * The record of a tuple.
   *
   * @throws dev.varve.common.error.RequestException when its box is none: a corner is not finite,
   *     or a low one above its high one
   */
  byte[] record(ITupleReference tuple) throws StorageException, HyracksDataException {
    Key key = key(tuple);
    for (int dimension = 2; dimension < dimensions(); dimension++) {
      Rectangle.of(low(tuple, dimension), 0, high(tuple, dimension), 0);
    }
    Rectangle box = rectangle(tuple);
    String text = decoder.reset(key.toSlice()).readString();
    return ("{\"t\":\""
            + text
            + "\",\"p\":["
            + box.minX()
            + ','
            + box.minY()
            + ','
            + box.maxX()
            + ','
            + box.maxY()
            + "]}")
        .getBytes(StandardCharsets.UTF_8);
  }

  /** The first two dimensions of a tuple's box; one of a single dimension has the height 0. */
  private Rectangle rectangle(ITupleReference tuple) throws StorageException, HyracksDataException {
    return dimensions() == 1
        ? Rectangle.of(low(tuple, 0), 0, high(tuple, 0), 0)
        : Rectangle.of(low(tuple, 0), low(tuple, 1), high(tuple, 0), high(tuple, 1));
  }

  /** The low end of a box in a dimension; of a long the nearest double. */
  double low(ITupleReference tuple, int dimension) throws HyracksDataException {
    return coordinates.get(dimension).number(tuple, dimension);
  }

  /** The high end of a box in a dimension. */
  double high(ITupleReference tuple, int dimension) throws HyracksDataException {
    int field = dimensions() + dimension;
    return coordinates.get(field).number(tuple, field);
  }

  /** Fills a tuple with the one that a primary key stands for. */
  void decode(Slice primaryKey, StoredTuple tuple) {
    String text = decoder.reset(primaryKey).readString();
    assert text.indexOf(DOT) > 0 : text;
    byte[] stored = Base64.getDecoder().decode(text.substring(text.indexOf(DOT) + 1));
    tuple.clear();
    int position = 0;
    while (position < stored.length) {
      int length = VarLenIntEncoderDecoder.decode(stored, position);
      position += VarLenIntEncoderDecoder.getBytesRequired(length);
      tuple.sink().add(stored, position, length);
      tuple.endField();
      position += length;
    }
  }
}
