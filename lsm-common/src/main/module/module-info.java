/** The kernel: what every kind of index is made an LSM index with. */
module dev.varve.common {
  requires jdk.unsupported;
  requires org.apache.logging.log4j;
  requires roaringbitmap;
  requires static com.google.errorprone.annotations;
  requires static org.jspecify;

  exports dev.varve.common.bytes;
  exports dev.varve.common.component;
  exports dev.varve.common.env;
  exports dev.varve.common.error;
  exports dev.varve.common.filter;
  exports dev.varve.common.format;
  exports dev.varve.common.index;
  exports dev.varve.common.maintenance;
  exports dev.varve.common.merge;
  exports dev.varve.common.page;
  exports dev.varve.common.disk to dev.varve.dataset;
}
