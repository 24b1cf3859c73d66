/**
 * Large values of key-value stores, which lie in files of their own beside the components, so that
 * flushes and merges do not write them again (the separation of keys and values of WiscKey, Lu et
 * al., FAST 2016; here with a log that holds references, and per store).
 *
 * <p>May use: {@code lsm-common}. Threads: values and what forces them are thread-safe; marks and
 * looks at the log are confined to one thread. Owns and closes: the values of a partition are
 * opened and closed with its indexes. Format: docs/format/values.md.
 */
@NullMarked
package dev.varve.dataset.internal.value;

import org.jspecify.annotations.NullMarked;
