/** R-trees and the searches of places. */
module dev.varve.rtree {
  requires transitive dev.varve.btree;
  requires static com.google.errorprone.annotations;
  requires static org.jspecify;

  exports dev.varve.rtree;
  exports dev.varve.rtree.geometry;
  exports dev.varve.rtree.query;
}
