package dev.varve.common.component;

/**
 * What is known of a sealed disk component without reading it.
 *
 * @param id which flushes it holds
 * @param bytes size of its file
 * @param entries number of entries, antimatter included
 * @param antimatter number of deletions it carries for older components: antimatter entries, or
 *     deleted keys in a kind that keeps them beside its entries
 * @param superseding about how many of the entries supersede one with the same key in an older
 *     component, which is as many obsolete ones there: from a sample of the keys, taken when the
 *     component was written; 0 where nobody has looked
 * @param componentLsn every logged operation on the index at or below this LSN is in this component
 *     or an older one; -1 when nothing was logged
 */
public record ComponentStats(
    ComponentId id,
    long bytes,
    long entries,
    long antimatter,
    long superseding,
    long componentLsn) {
  /** Of a component of which nobody knows what its entries supersede. */
  public ComponentStats(
      ComponentId id, long bytes, long entries, long antimatter, long componentLsn) {
    this(id, bytes, entries, antimatter, 0, componentLsn);
  }
}
