package dev.varve.common.env;

/**
 * What bytes are written to. Two of them are equal if what is written to the one takes speed and
 * space from the other; which file system was asked makes no difference.
 *
 * @param identity tells it from every other device of this process
 */
public record Device(Object identity) {}
