package dev.varve.hyracks.adapter;

import java.util.List;
import java.util.stream.Stream;
import org.apache.hyracks.api.dataflow.value.IBinaryComparatorFactory;
import org.apache.hyracks.api.io.FileReference;
import org.apache.hyracks.storage.common.IResource;
import org.apache.hyracks.storage.common.IResourceFactory;

/**
 * Describes a new inverted index to Hyracks' index-create operator. Its tuples are what the stock
 * tokenizing operator sends: a token, with or without the number of tokens of its text behind it,
 * and the key of what holds it. They are kept as pairs in an LSM B+-tree, as Hyracks' own does in
 * memory, and searched by merging the lists of the tokens that are asked for. Immutable; travels
 * inside a job.
 */
public final class InvertedIndexResourceFactory implements IResourceFactory {
  private static final long serialVersionUID = 2L;

  private final TupleDescription tuples;

  /**
   * Checks the comparators.
   *
   * @param tokens one for the token, and one for the number of tokens if the tuples have it
   * @param keys for the fields of the key of what holds the token
   * @throws IllegalArgumentException for a comparator without an encoding, with its name, or for
   *     more or fewer comparators than that
   */
  public InvertedIndexResourceFactory(
      IBinaryComparatorFactory[] tokens, IBinaryComparatorFactory[] keys) {
    if (tokens.length < 1 || tokens.length > 2) {
      throw new IllegalArgumentException(
          "a token has a comparator, and its number may have one, not " + tokens.length);
    }
    List<KeyField> fields =
        Stream.concat(Stream.of(tokens), Stream.of(keys)).map(KeyField::of).toList();
    this.tuples =
        new TupleDescription(
            tokens.length == 1 ? IndexShape.INVERTED : IndexShape.PARTITIONED_INVERTED,
            fields.size(),
            fields);
  }

  @Override
  public IResource createResource(FileReference reference) {
    return new StoreResource(reference.getRelativePath(), tuples);
  }
}
