/** Datasets, key-value stores and the engine that holds them. */
module dev.varve.dataset {
  requires com.fasterxml.jackson.core;
  requires transitive dev.varve.btree;
  requires transitive dev.varve.invertedindex;
  requires transitive dev.varve.rtree;
  requires transitive dev.varve.scheduler;
  requires transitive dev.varve.transaction;
  requires java.management;
  requires jdk.management;
  requires org.apache.logging.log4j;
  requires static com.google.errorprone.annotations;
  requires static org.jspecify;

  exports dev.varve.dataset;
  exports dev.varve.dataset.kind;
  exports dev.varve.dataset.model;
  exports dev.varve.dataset.options;

  uses dev.varve.dataset.kind.IndexKind;

  provides dev.varve.dataset.kind.IndexKind with
      dev.varve.dataset.kind.BTreeKind,
      dev.varve.dataset.kind.RTreeKind,
      dev.varve.dataset.kind.TextKind;
}
