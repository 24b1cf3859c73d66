package dev.varve.cli.command;

import dev.varve.btree.KeyRange;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.Key;
import dev.varve.hyracks.node.Cluster;
import dev.varve.hyracks.node.JobFailedException;
import dev.varve.hyracks.operator.SearchTerms;
import java.util.ArrayList;
import java.util.List;

/** What is read of the tweets, and from which index. Values. */
sealed interface TweetQuery {
  /** Name of the primary index in statistics and results. */
  String PRIMARY = "primary";

  /** The index that answers. */
  default String index() {
    return PRIMARY;
  }

  /** The first records, at most so many. */
  List<byte[]> first(Cluster cluster, int most) throws StorageException, JobFailedException;

  /** How many records there are. */
  long count(Cluster cluster) throws StorageException, JobFailedException;

  /** The record with a primary key. */
  record Point(Key id) implements TweetQuery {
    @Override
    public List<byte[]> first(Cluster cluster, int most)
        throws StorageException, JobFailedException {
      return cluster.get(TweetCluster.DATASET, id).stream().limit(most).toList();
    }

    @Override
    public long count(Cluster cluster) throws StorageException, JobFailedException {
      return cluster.get(TweetCluster.DATASET, id).isPresent() ? 1 : 0;
    }
  }

  /** Records in a range of primary keys. */
  record Scan(KeyRange range) implements TweetQuery {
    @Override
    public List<byte[]> first(Cluster cluster, int most)
        throws StorageException, JobFailedException {
      try (dev.varve.hyracks.node.QueryResult found =
          cluster.scanFirst(TweetCluster.DATASET, range, most)) {
        return read(found, most);
      }
    }

    @Override
    public long count(Cluster cluster) throws StorageException, JobFailedException {
      return cluster.countScan(TweetCluster.DATASET, range);
    }
  }

  /** Records in a range of a secondary B+-tree. */
  record Range(String index, KeyRange range) implements TweetQuery {
    @Override
    public List<byte[]> first(Cluster cluster, int most)
        throws StorageException, JobFailedException {
      try (dev.varve.hyracks.node.QueryResult found =
          cluster.searchFirst(TweetCluster.DATASET, index, range, most)) {
        return read(found, most);
      }
    }

    @Override
    public long count(Cluster cluster) throws StorageException, JobFailedException {
      return cluster.countSearch(TweetCluster.DATASET, index, range);
    }
  }

  /** What an R-tree or an inverted index finds. */
  record Search(String index, SearchTerms terms) implements TweetQuery {
    @Override
    public List<byte[]> first(Cluster cluster, int most)
        throws StorageException, JobFailedException {
      try (dev.varve.hyracks.node.QueryResult found =
          cluster.searchFirst(TweetCluster.DATASET, index, terms, most)) {
        return read(found, most);
      }
    }

    @Override
    public long count(Cluster cluster) throws StorageException, JobFailedException {
      return cluster.countSearch(TweetCluster.DATASET, index, terms);
    }
  }

  private static List<byte[]> read(dev.varve.hyracks.node.QueryResult found, int most)
      throws StorageException, JobFailedException {
    List<byte[]> records = new ArrayList<>();
    while (records.size() < most && found.next()) {
      records.add(found.record().toByteArray());
    }
    return records;
  }
}
