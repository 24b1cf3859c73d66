package dev.varve.dataset.kind;

import dev.varve.btree.BTreeFormat;
import dev.varve.btree.KeyRange;
import dev.varve.common.format.DeletedKeys;
import dev.varve.dataset.model.IndexSearch;
import dev.varve.dataset.model.KeySearch;
import dev.varve.dataset.model.OrderedSearch;
import org.jspecify.annotations.Nullable;

/**
 * {@code btree}, a B+-tree on one or more fields: the encoded values of the fields, then the
 * encoded primary key. Immutable and thread-safe.
 */
public final class BTreeKind extends BTreeFormat implements IndexKind<KeyRange> {
  private final int fields;

  /** The kind, over one field. */
  public BTreeKind() {
    this(1);
  }

  private BTreeKind(int fields) {
    this.fields = fields;
  }

  @Override
  public boolean takesSeveralFields() {
    return true;
  }

  @Override
  public BTreeKind over(int newFields) {
    return new BTreeKind(newFields);
  }

  @Override
  public int fields() {
    return fields;
  }

  @Override
  public @Nullable Question<KeyRange> question(IndexSearch search) {
    return questionOf(search);
  }

  static @Nullable Question<KeyRange> questionOf(IndexSearch search) {
    KeyRange range;
    if (search instanceof KeySearch keys) {
      range = keys.range();
    } else if (search instanceof OrderedSearch ordered) {
      range = ordered.range();
    } else {
      return null;
    }
    return new Question<>(range, (key, value) -> range.contains(key));
  }

  @Override
  public boolean isExact(IndexSearch search) {
    return true;
  }

  @Override
  public boolean keepsStamps() {
    return true;
  }

  @Override
  public @Nullable DeletedKeys deletedKeys() {
    return null;
  }
}
