/**
 * The structure of the project as tests: module and package arrows, names, purity, package
 * documentation, and the ratchet file of measures that may only get better.
 *
 * <p>May use: ArchUnit, javac's tree API, every module's classes and sources. Threads: none. Owns
 * and closes: nothing. Format: config/ratchet.txt.
 */
package dev.varve.it.architecture;
