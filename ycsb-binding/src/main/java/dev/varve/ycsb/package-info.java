/**
 * YCSB's client of Varve: tables are key-value stores, records are fields in one value.
 *
 * <p>May use: {@code lsm-dataset} and the modules below, YCSB. Threads: YCSB gives each of its
 * threads a client; the engine is shared. Owns and closes: the last client that is cleaned up
 * closes the engine. Format: values as {@code Fields} says.
 */
@NullMarked
package dev.varve.ycsb;

import org.jspecify.annotations.NullMarked;
