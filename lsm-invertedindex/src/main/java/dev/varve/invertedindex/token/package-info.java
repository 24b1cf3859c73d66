/**
 * How text is taken apart into tokens, and the keys that entries of tokens have.
 *
 * <p>May use: lsm-common's {@code bytes}. Threads: tokenizers are immutable and thread-safe. Owns
 * and closes: nothing. Format: docs/format/inverted.md.
 */
@NullMarked
package dev.varve.invertedindex.token;

import org.jspecify.annotations.NullMarked;
