/**
 * Tuners: what sets the number of merge and flush threads, the size of memory components and the
 * split of the device's bandwidth while a node runs. ADOC (Yu, Noh, Choi, Xue, FAST 2023) and its
 * rivals behind one interface: a {@link dev.varve.scheduler.tuner.FlowObservation} of each second
 * goes in, a {@link dev.varve.scheduler.tuner.TunerSetting} and the reason for it come out.
 *
 * <p>May use: {@code component} and {@code merge} of lsm-common, and {@code policy}. Threads:
 * values are immutable; a {@code TunerRun} is confined to the thread that observes. Owns and
 * closes: nothing; the engine and the simulator observe and obey. Format: none; {@code TunerText}
 * is how options write a tuner down.
 */
@NullMarked
package dev.varve.scheduler.tuner;

import org.jspecify.annotations.NullMarked;
