package dev.varve.hyracks.node;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks what stands between Hyracks and Java's serialization, and so has to name the streams that
 * {@code config/forbidden.txt} keeps out. The build exempts marked classes.
 */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
@interface FiltersSerialization {}
