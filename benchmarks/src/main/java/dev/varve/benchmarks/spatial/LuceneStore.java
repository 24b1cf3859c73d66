package dev.varve.benchmarks.spatial;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.index.IdSink;
import dev.varve.benchmarks.index.IndexStore;
import dev.varve.benchmarks.index.LuceneIndex;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;

/** Points in Lucene, each a document with its number as a doc value. Confined to one thread. */
final class LuceneStore implements SpatialStore, IndexStore.Delegating {
  private final LuceneShape shape;
  private final LuceneIndex index;
  private final Document document = new Document();
  private final Field point;

  /** A store of an index that it closes. */
  LuceneStore(LuceneShape shape, LuceneIndex index) {
    this.shape = shape;
    this.index = index;
    this.point = shape.newField();
    document.add(point);
  }

  @Override
  public void insert(double x, double y, long id) throws BenchmarkException {
    shape.set(point, x, y);
    index.add(document, id);
  }

  /** Without a term for the number, which would cost each insert: by place and number. */
  @Override
  public void delete(double x, double y, long id) throws BenchmarkException {
    index.delete(
        new BooleanQuery.Builder()
            .add(shape.within(new Box(x, y, x, y)), BooleanClause.Occur.FILTER)
            .add(LuceneIndex.withId(id), BooleanClause.Occur.FILTER)
            .build());
  }

  @Override
  public void query(Box box, IdSink found) throws BenchmarkException {
    index.search(shape.within(box), found);
  }

  @Override
  public void nearest(double x, double y, int count, IdSink found) {
    throw new UnsupportedOperationException("its core has no nearest search");
  }

  @Override
  public IndexStore index() {
    return index;
  }
}
