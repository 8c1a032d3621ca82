import { NodeConfig } from '@catchment/contracts/nodes';
import { type RenderUrlDeps, renderUrl } from './render-url.ts';
import type { Sandbox } from './sandbox.ts';

const NOW = Date.UTC(2024, 4, 15, 12);
const node = (nodeId: string, cls: string, parentId: string) =>
  NodeConfig.fromPartial({ nodeId, class: cls, parentId, name: nodeId, ownerId: 'o', workspaceId: 'w' });
const source = NodeConfig.fromPartial({
  ...node('s', 'source.data.Jts', 'g'),
  source: { timezone: 'Australia/Sydney', timezoneAdjustForDst: true },
});
const others = new Map(
  [node('g', 'group.Group', 'l'), node('l', 'location.Location', 'w'), node('w', 'Workspace', '')].map((row) => [
    row.nodeId,
    row,
  ]),
);

function depsWith(newest: readonly (number | undefined)[]) {
  const asked: Parameters<Sandbox['render']>[1][] = [];
  const sandbox = {
    render: async (_account: string, text: Parameters<Sandbox['render']>[1]) => {
      asked.push(text);
      return 'http://x';
    },
  } as unknown as Sandbox;
  const series = NodeConfig.fromPartial({ ...node('p', 'point.NumberPoint', 's'), series: {} });
  const deps: RenderUrlDeps = {
    sandbox,
    reader: { newest: async () => newest },
    source: async () => ({ source, parameters: [series, series] }),
    node: async (_ownerId, nodeId) => others.get(nodeId),
  };
  return { deps, asked };
}
const render = (deps: RenderUrlDeps) =>
  renderUrl(
    deps,
    { ownerId: 'o', sourceId: 's', template: '{{SOURCE.currentLocalTime}}', nowMs: NOW },
    new AbortController().signal,
  );

test.each([
  [
    'the newest record, in the zone of the source',
    [Date.UTC(2024, 4, 15, 10), undefined],
    '2024-05-15T20:00:00.000+10:00',
  ],
  ['24 hours ago without any', [undefined, undefined], '2024-05-14T22:00:00.000+10:00'],
])('currentLocalTime is that of %s', async (_what, newest, expected) => {
  const { deps, asked } = depsWith(newest);
  expect(await render(deps)).toBe('http://x');
  expect(asked[0]?.nodes[0]?.attributes).toMatchObject({ name: 's', currentLocalTime: expected });
});

test('LOCATION is the one above, through groups', async () => {
  const { deps, asked } = depsWith([]);
  await render(deps);
  const [text] = asked;
  expect(text?.nodes.map(({ nodeId }) => nodeId)).toEqual(['s', 'l', 'w']);
  expect(text?.globals).toEqual({ THIS: 0, SOURCE: 0, LOCATION: 1, WORKSPACE: 2 });
});
