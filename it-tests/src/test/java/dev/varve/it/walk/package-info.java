/** What one operation runs through, counted from a trace. */
@NullMarked
package dev.varve.it.walk;

import org.jspecify.annotations.NullMarked;
