package dev.varve.simulator.reproduction;

/**
 * What became of a claim.
 *
 * @param paper what the paper says
 * @param found what the simulator finds
 * @param holds whether the two agree
 * @param why they do not, as far as that was found out; empty when they do
 */
public record Verdict(String paper, String found, boolean holds, String why) {}
