/**
 * Components as values: identity, statistics, life cycle.
 *
 * <p>May use: {@code error}, {@code bytes}, {@code env}, {@code page}, {@code filter}. Threads:
 * values are immutable. Owns and closes: nothing. Format: docs/format/component.md.
 */
@NullMarked
package dev.varve.common.component;

import org.jspecify.annotations.NullMarked;
