/**
 * Filters that tell, for a component and the hash of a key, "not there" or "maybe there", with one
 * cache line of memory read per question.
 *
 * <p>May use: {@code error}, {@code bytes}, {@code page}. Threads: {@link
 * dev.varve.common.filter.BloomFilter} is thread-safe, the builder is confined to one task. Owns
 * and closes: nothing; a filter reads from a page file that the component owns. Format:
 * docs/format/filter.md.
 */
@NullMarked
package dev.varve.common.filter;

import org.jspecify.annotations.NullMarked;
