package dev.varve.hyracks.adapter;

import java.util.List;
import java.util.stream.Stream;
import org.apache.hyracks.api.dataflow.value.IBinaryComparatorFactory;
import org.apache.hyracks.api.dataflow.value.ITypeTraits;
import org.apache.hyracks.api.io.FileReference;
import org.apache.hyracks.storage.common.IResource;
import org.apache.hyracks.storage.common.IResourceFactory;

/**
 * Describes a new B+-tree to Hyracks' index-create operator. The tuple's first fields are the key,
 * as many as there are comparators; each comparator must be a stock one, whose order an encoding
 * keeps. Immutable; travels inside a job.
 */
public final class BTreeResourceFactory implements IResourceFactory {
  private static final long serialVersionUID = 1L;

  private final int fieldCount;
  private final List<KeyField> keyFields;

  /**
   * Checks the comparators.
   *
   * @throws IllegalArgumentException for a comparator without an encoding, with its name
   */
  public BTreeResourceFactory(ITypeTraits[] fields, IBinaryComparatorFactory[] keyComparators) {
    this.fieldCount = fields.length;
    this.keyFields = Stream.of(keyComparators).map(KeyField::of).toList();
  }

  @Override
  public IResource createResource(FileReference reference) {
    return new StoreResource(reference.getRelativePath(), fieldCount, keyFields);
  }
}
