import type { RecordSummaries } from '../../aggregates/index.ts';
import type { RecordOutlines } from '../../outlines/index.ts';
import type { EarlierRecords, ExistingRecords, RecordReader, RecordStore } from '../../records/index.ts';
import type { ShardRouter } from './shard-router.ts';

type Routed = {
  readonly records: RecordStore & RecordReader & EarlierRecords;
  readonly existing: ExistingRecords;
  readonly summaries: RecordSummaries;
  readonly outlines: RecordOutlines;
};

/** Records wherever they are: each call goes to the InfluxDB of its series. */
export const routedRecords = (router: ShardRouter): Routed => ({
  records: {
    scan: async (series, ...rest) => (await router.of(series.nodeId)).records.scan(series, ...rest),
    scanModified: async (series, ...rest) => (await router.of(series.nodeId)).records.scanModified(series, ...rest),
    scanWrittenBefore: async (series, ...rest) =>
      (await router.of(series.nodeId)).records.scanWrittenBefore(series, ...rest),
    async writeColumns(columns, signal) {
      const byNode = Map.groupBy(columns, ({ nodeId }) => nodeId);
      await router.each([...byNode.keys()], ({ records }, nodeIds) =>
        records.writeColumns(
          nodeIds.flatMap((nodeId) => byNode.get(nodeId) ?? []),
          signal,
        ),
      );
    },
    deleteSeries: (nodeIds, signal) => router.each(nodeIds, ({ records }, some) => records.deleteSeries(some, signal)),
  },
  existing: {
    presenceAt: async (nodeId, ...rest) => (await router.of(nodeId)).existing.presenceAt(nodeId, ...rest),
    hasAny: async (nodeId, ...rest) => (await router.of(nodeId)).existing.hasAny(nodeId, ...rest),
    timesIn: async (nodeId, ...rest) => (await router.of(nodeId)).existing.timesIn(nodeId, ...rest),
    deleteRange: async (nodeId, ...rest) => (await router.of(nodeId)).existing.deleteRange(nodeId, ...rest),
  },
  summaries: {
    summarize: (nodeIds, ...rest) => router.each(nodeIds, ({ summaries }, some) => summaries.summarize(some, ...rest)),
  },
  outlines: {
    extremes: async (nodeId, ...rest) => (await router.of(nodeId)).outlines.extremes(nodeId, ...rest),
    numbers: async (nodeId, ...rest) => (await router.of(nodeId)).outlines.numbers(nodeId, ...rest),
    edgesCost: async (nodeId, ...rest) => (await router.of(nodeId)).outlines.edgesCost(nodeId, ...rest),
    edges: async (nodeId, ...rest) => (await router.of(nodeId)).outlines.edges(nodeId, ...rest),
  },
});
