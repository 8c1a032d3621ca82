import { type Fixture, openFixture } from './fixture.ts';

let f: Fixture;
beforeAll(async () => {
  f = await openFixture();
});
afterAll(() => f.close());

type Scene = Readonly<Record<'location' | 'source' | 'report' | 'camera', string>>;
/** A statement that changes nodes, and one that finds what it makes due. */
type Case = readonly [what: string, change: (ids: Scene) => string, due: (ids: Scene) => string];

const staleRow = (nodeId: string): string => `SELECT FROM node_values WHERE node_id = '${nodeId}' AND is_stale`;

const CASES: readonly Case[] = [
  [
    'a Location that begins to follow a source',
    ({ location, source }) =>
      `UPDATE nodes SET config = config || '{"coordinateSourceId":"${source}"}' WHERE node_id = '${location}'`,
    ({ source }) => `SELECT FROM due_announcements WHERE node_id = '${source}'`,
  ],
  [
    'a report that gets a schedule',
    ({ report }) => `UPDATE nodes SET config = config || '{"schedule":{"type":"DAILY"}}' WHERE node_id = '${report}'`,
    ({ report }) => `SELECT FROM report_schedules WHERE node_id = '${report}' AND is_stale`,
  ],
  [
    'an attachment that comes to its source',
    ({ camera }) =>
      `INSERT INTO nodes (node_id, owner_id, workspace_id, parent_id, class, name, name_key, created_ms, revision)
       SELECT reverse(node_id), owner_id, workspace_id, node_id, 'Attachment', 'a', 'a', created_ms, revision FROM nodes WHERE node_id = '${camera}'`,
    ({ camera }) => `SELECT FROM node_values WHERE node_id = '${camera}' AND shown_count > 0`,
  ],
  [
    'a source that is disabled',
    ({ source }) => `UPDATE nodes SET config = config || '{"isEnabled":false}' WHERE node_id = '${source}'`,
    ({ source }) => staleRow(source),
  ],
  [
    'a value without what is shown of it',
    ({ source }) => `UPDATE node_values SET current_ms = 1, current_value = '5' WHERE node_id = '${source}'`,
    ({ source }) => staleRow(source),
  ],
  [
    'a first state',
    ({ source }) => `INSERT INTO node_alarms (node_id, current_state_id) VALUES ('${source}', 'high')`,
    ({ source }) => staleRow(source),
  ],
  [
    'another state',
    ({ location }) => `UPDATE node_alarms SET current_state_id = 'high' WHERE node_id = '${location}'`,
    ({ location }) => staleRow(location),
  ],
];

async function scene(): Promise<Scene> {
  const api = await f.account();
  const { workspace, source, location } = await f.source(api);
  const report = await api.create('Report', 'Report', workspace._id);
  const camera = await api.create('source.attachment.AttachmentSource', 'Camera', location._id);
  await f.database.query('INSERT INTO node_alarms (node_id) VALUES ($1)', [location._id]);
  return { location: location._id, source: source._id, report: report._id, camera: camera._id };
}

describe.each(CASES)('%s', (_what, change, due) => {
  test.each([
    ['is noted by triggers where a pod of the release before changes it', 'off', 1],
    ['is left to the service where its own connection changes it', 'on', 0],
  ])('%s', async (_how, decides, found) => {
    const ids = await scene();
    await f.database.transaction(async (tx) => {
      if (decides === 'off') await tx.query('SET LOCAL catchment.decides TO off');
      await tx.query(change(ids));
      expect((await tx.query(due(ids))).rowCount).toBe(found);
    });
  });
});
