/**
 * The LSM-ification wrapper: memory and disk components of any index kind, made into one LSM index
 * with flush, merge, reconciliation and snapshots (Storage Management in AsterixDB, section 3).
 *
 * <p>May use: every other package of this module. Threads: {@code LsmIndex} is thread-safe; cursors
 * and entries are confined to one thread. Owns and closes: an index owns its components and their
 * files; callers close cursors. Format: docs/format/component.md.
 */
@NullMarked
package dev.varve.common.index;

import org.jspecify.annotations.NullMarked;
