/**
 * Write admission: whether a write may begin now, decided before it holds a lock or log space, and
 * if not, why and for how long. {@code WriteAdmission} is what a writer asks and where it waits;
 * everything else here is what it decides by, or the record of those who had to wait.
 *
 * <p>May use: {@code env}, {@code error}, {@code merge} and {@code index} of lsm-common, and {@code
 * policy}. Threads: gates and what they decide by are pure values; {@code WriteAdmission}, {@code
 * NodeAdmission}, {@code WriteBuffer}, {@code MemoryPool} and {@code StallRecorder} are
 * thread-safe. Owns and closes: nothing; the engine opens and closes the indexes. Format: none;
 * {@code WriteGates} is how options write a gate down.
 */
@NullMarked
package dev.varve.scheduler.admission;

import org.jspecify.annotations.NullMarked;
