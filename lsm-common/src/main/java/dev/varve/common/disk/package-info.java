/**
 * The disk components of an index: their files and names, how they are built and opened, which of
 * them count, by names or by a manifest, and their deleted keys.
 *
 * <p>May use: every package of this module but {@code index} and {@code maintenance}. Threads:
 * immutable but for what each type says; builds are confined to one task. Owns and closes: a
 * component owns its file, and deletes one that was given up once its last reader has let go.
 * Format: docs/format/component.md, docs/format/manifest.md.
 */
@NullMarked
package dev.varve.common.disk;

import org.jspecify.annotations.NullMarked;
