/**
 * Component files as pages: a writer that appends and seals, a reader, and the buffer cache between
 * them.
 *
 * <p>May use: {@code error}, {@code bytes}, {@code env}. Threads: {@link
 * dev.varve.common.page.PageFile} and {@link dev.varve.common.page.PageCache} are thread-safe, the
 * writer is confined to one task. Owns and closes: whoever opens a file closes it; whoever pins a
 * page unpins it. Format: docs/format/page-file.md.
 */
@NullMarked
package dev.varve.common.page;

import org.jspecify.annotations.NullMarked;
