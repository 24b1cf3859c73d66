/**
 * What an index kind implements to become an LSM index: an index in memory, one on pages, its
 * builder, and how it keeps deletions (Storage Management in AsterixDB, section 3.4).
 *
 * <p>May use: {@code error}, {@code bytes}, {@code page}, {@code merge}. Threads: each type says.
 * Owns and closes: nothing; callers close cursors. Format: each kind has its own, on the pages of
 * docs/format/component.md.
 */
@NullMarked
package dev.varve.common.format;

import org.jspecify.annotations.NullMarked;
