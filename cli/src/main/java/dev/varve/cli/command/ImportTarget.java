package dev.varve.cli.command;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import java.util.function.Supplier;

/**
 * Where imported records go: into an empty dataset at once, into one with records one after the
 * other, or into a key-value store. Confined to one thread; whoever opened it closes it.
 */
interface ImportTarget extends AutoCloseable {
  /** How records get in, in a few words. */
  String method();

  /** What is durable of an import that ends before its time, as the beginning of a sentence. */
  default String leftByStop() {
    return "What was imported is durable up to some record";
  }

  /** How many of the records that were taken are durable, at least; of all once it has finished. */
  long durable();

  /**
   * Takes a record; its bytes are copied.
   *
   * @param place where it was read, for a target that may refuse it later
   * @throws dev.varve.common.error.RequestException when it is refused, and the import goes on
   * @throws dev.varve.common.error.LimitException when it is over a limit, and the import goes on
   */
  void add(Slice record, Supplier<String> place) throws StorageException;

  /**
   * Makes all that was taken durable and visible.
   *
   * @return how many of the records that were taken replaced another, of this import or one that
   *     was there
   */
  long finish() throws StorageException;

  @Override
  void close() throws StorageException;
}
