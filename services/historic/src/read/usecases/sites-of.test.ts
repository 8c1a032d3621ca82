import type { NodeConfig } from '@catchment/contracts/nodes';
import { notFound } from '@catchment/errors';
import { arrayReader } from '../../../test/array-reader.ts';
import { recordSet, seriesNode, TYPES } from '../../../test/series.ts';
import type { SeriesNode } from '../../series/domain/series-node.ts';
import type { ReadCall } from './read-deps.ts';
import { sitesOf } from './sites-of.ts';

const WORKSPACE = seriesNode({ name: 'Rivers', class: 'Workspace', parentId: '' });
const GROUP = seriesNode({ name: 'North', class: 'Group', parentId: WORKSPACE.nodeId });
const LOCATION = seriesNode({
  name: 'Dead Run',
  customId: 'dead-run',
  class: 'location.Location',
  parentId: GROUP.nodeId,
  series: { valueType: TYPES.COORDINATES },
});
const SOURCE = seriesNode({ name: 'Logger', class: 'source.data.Jts', parentId: LOCATION.nodeId });
const STAGE = seriesNode({ name: 'Stage', parentId: SOURCE.nodeId });
const FLOW = seriesNode({ name: 'Flow', parentId: SOURCE.nodeId });
const LOOSE = seriesNode({ name: 'Loose', parentId: GROUP.nodeId });
const ALL = [WORKSPACE, GROUP, LOCATION, SOURCE, STAGE, FLOW, LOOSE];

const PLACES = [
  { timeMs: 1, number: 1, longitude: 2 },
  { timeMs: 2, number: -43.5, longitude: 172.6 },
  { timeMs: 3, quality: 158 },
];

/** @param seen what the caller may see */
function sites(nodes: readonly SeriesNode[], { places = PLACES, seen = ALL as readonly NodeConfig[] } = {}) {
  const set = recordSet(TYPES.COORDINATES, places);
  const reader = arrayReader(places.map((_, n) => set.at(n)));
  const resolve = async (ref: string) => {
    const node = seen.find(({ nodeId }) => nodeId === ref);
    if (!node) throw notFound();
    return node;
  };
  const call = { caller: { kind: 'service' }, token: '', signal: new AbortController().signal };
  return sitesOf({ reader, catalogue: { resolve, resolveAll: async () => [] } }, nodes, call as unknown as ReadCall);
}

const DEAD_RUN = { nodeId: LOCATION.nodeId, name: 'Dead Run', customId: 'dead-run' };
const COORDINATES = { latitude: -43.5, longitude: 172.6 };

test('the site of a parameter is the Location above it, at the newest coordinates that it has', async () => {
  expect(await sites([STAGE, FLOW])).toEqual([
    { ...DEAD_RUN, coordinates: COORDINATES },
    { ...DEAD_RUN, coordinates: COORDINATES },
  ]);
});

test('a Location is its own site; without a record of its series it has no coordinates', async () => {
  expect(await sites([LOCATION], { places: [] })).toEqual([DEAD_RUN]);
});

test('the site of what lies below no Location is the Workspace', async () => {
  expect(await sites([STAGE, LOOSE])).toMatchObject([DEAD_RUN, { nodeId: WORKSPACE.nodeId, name: 'Rivers' }]);
});

test.each([
  ['nothing', [], STAGE],
  ['the source', [SOURCE], SOURCE],
])('of the nodes above, a caller who may see %s sees nothing else', async (_what, seen, site) => {
  expect(await sites([STAGE], { seen })).toEqual([{ nodeId: site.nodeId, name: site.name, customId: '' }]);
});
