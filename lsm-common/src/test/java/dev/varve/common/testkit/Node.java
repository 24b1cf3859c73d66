package dev.varve.common.testkit;

/** What a name in a simulated directory stands for. */
sealed interface Node permits FileNode, DirectoryNode {}
