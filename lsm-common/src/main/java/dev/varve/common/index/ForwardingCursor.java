package dev.varve.common.index;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.Validity;

/**
 * A cursor over the states of another one, which it has taken over: what leaves some of them out,
 * or shows others in their place, says so and nothing else. Confined to one thread.
 */
public interface ForwardingCursor extends LsmCursor {
  /** The other one. */
  LsmCursor states();

  @Override
  default Entry entry() {
    return states().entry();
  }

  @Override
  default long position() {
    return states().position();
  }

  @Override
  default Origin origin() {
    return states().origin();
  }

  @Override
  default Origin originOf(int source) {
    return states().originOf(source);
  }

  @Override
  default Validity validity(int source, Slice key) throws StorageException {
    return states().validity(source, key);
  }

  @Override
  default void close() {
    states().close();
  }
}
