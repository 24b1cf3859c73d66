/** B+-trees: in memory for writes, built on pages for reads. */
module dev.varve.btree {
  requires transitive dev.varve.common;
  requires static com.google.errorprone.annotations;
  requires static org.jspecify;

  exports dev.varve.btree;
  exports dev.varve.btree.bound to dev.varve.dataset;
  exports dev.varve.btree.disk to dev.varve.invertedindex;
  exports dev.varve.btree.memory to dev.varve.rtree;
}
