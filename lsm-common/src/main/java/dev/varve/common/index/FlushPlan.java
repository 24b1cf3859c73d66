package dev.varve.common.index;

import dev.varve.common.component.ComponentId;

/**
 * What a flush reads and what it makes.
 *
 * @param source the memory component
 * @param target what the disk component is called
 * @param nothingOlder whether there is no disk component that its deletions could hide entries of
 */
record FlushPlan<Q>(MemoryComponent<Q> source, ComponentId target, boolean nothingOlder) {}
