package dev.varve.hyracks.adapter;

import java.util.stream.Stream;
import org.apache.hyracks.api.dataflow.value.IBinaryComparatorFactory;
import org.apache.hyracks.api.dataflow.value.ITypeTraits;
import org.apache.hyracks.api.io.FileReference;
import org.apache.hyracks.storage.common.IResource;
import org.apache.hyracks.storage.common.IResourceFactory;

/**
 * Describes a new R-tree to Hyracks' index-create operator. The tuple's first fields are the
 * corners of a box, as many as there are comparators: all low ends, then all high ends; each
 * comparator must be a stock one of numbers. The fields behind are of any type. A tuple is told by
 * all of its fields: it can be inserted once, and deleted. Immutable; travels inside a job.
 */
public final class RTreeResourceFactory implements IResourceFactory {
  private static final long serialVersionUID = 2L;

  private final TupleDescription tuples;

  /**
   * Checks the comparators.
   *
   * @throws IllegalArgumentException for a comparator that is not of numbers, or an odd number of
   *     them
   */
  public RTreeResourceFactory(ITypeTraits[] fields, IBinaryComparatorFactory[] corners) {
    this.tuples =
        new TupleDescription(
            IndexShape.RTREE, fields.length, Stream.of(corners).map(KeyField::of).toList());
  }

  @Override
  public IResource createResource(FileReference reference) {
    return new StoreResource(reference.getRelativePath(), tuples);
  }
}
