package dev.varve.simulator;

/** A merge that a tree wants, whose inputs are marked until it is published. */
interface MergeWork {
  /** Less than this is left of nothing: the rest of a subtraction. */
  double NO_BYTES = 1e-2;

  /** How many components it reads. */
  int fanIn();

  /** What it reads. */
  long inputBytes();

  /** What it writes; above 0. */
  long outputBytes();

  /** Puts the output in the place of the inputs. */
  void publish();

  /** Tree and components, for people. */
  String describe();
}
