/**
 * Which documents have which tokens: lists of document ordinals, a window at a time, and how a
 * search combines them.
 *
 * <p>May use: lsm-common's {@code error}, {@code bytes} and {@code index}. Threads: everything is
 * confined to one search, flush or merge. Owns and closes: nothing. Format: docs/format/inverted.md
 * has the windows; nothing here reaches a disk.
 */
@NullMarked
package dev.varve.invertedindex.postings;

import org.jspecify.annotations.NullMarked;
