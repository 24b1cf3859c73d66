package dev.varve.common.env;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a class that implements a seam with the very calls that {@code config/forbidden.txt} keeps
 * out of the rest of the engine. The build exempts marked classes, so the mark stays in this
 * package.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
@interface SeamImplementation {}
