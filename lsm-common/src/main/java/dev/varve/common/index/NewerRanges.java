package dev.varve.common.index;

import dev.varve.common.bytes.Slice;
import dev.varve.common.component.DeletedRanges;
import dev.varve.common.format.ComponentFormat;
import dev.varve.common.format.DeletedKeys;
import java.util.ArrayList;
import java.util.List;

/**
 * For each source of a search or merge, the deleted ranges of the components that are newer. Filled
 * from the newest component to the oldest; confined to one search or merge.
 */
final class NewerRanges {
  /** Of sources whose components have no ranges: hides nothing, and is never filled. */
  static final NewerRanges NONE = new NewerRanges((key, primaryKey) -> key);

  private final DeletedKeys.PrimaryKeyView view;
  private final Slice primaryKey = new Slice();
  private final List<DeletedRanges> ofSources = new ArrayList<>();
  private DeletedRanges soFar = DeletedRanges.NONE;

  private NewerRanges(DeletedKeys.PrimaryKeyView view) {
    this.view = view;
  }

  NewerRanges(ComponentFormat<?> format) {
    this(format.newPrimaryKeyView());
  }

  /** A component is searched, whose ranges come later; or several that have none. */
  void source() {
    ofSources.add(soFar);
  }

  /** The ranges of a component. */
  void add(DeletedRanges ranges) {
    soFar = soFar.with(ranges);
  }

  /** Whether they hide nothing of any source. */
  boolean isEmpty() {
    return ofSources.isEmpty() || ofSources.get(ofSources.size() - 1).isEmpty();
  }

  /** Whether they hide an entry of a source. */
  boolean hide(int source, Slice key) {
    return !isEmpty() && ofSources.get(source).contains(view.viewPrimaryKey(key, primaryKey));
  }

  /** What is left of the reconciled states of the sources. */
  LsmCursor unhidden(MergingCursor states) {
    return isEmpty() ? states : new UnhiddenCursor(states, this);
  }
}
