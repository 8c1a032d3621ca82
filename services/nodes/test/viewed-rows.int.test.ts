import { viewedNode } from '../src/views/index.ts';
import { type Fixture, openFixture } from './fixture.ts';

let f: Fixture;
beforeAll(async () => {
  f = await openFixture();
});
afterAll(() => f.close());

async function nodes() {
  const api = await f.account();
  const { source } = await f.source(api);
  return { api, source, point: await api.create('point.NumberPoint', 'P', source._id) };
}

/** Reads columns as the driver reads them. */
async function stored(nodeId: string) {
  const { rows } = await f.database.query<Record<string, never>>(
    'SELECT * FROM nodes LEFT JOIN node_values USING (node_id) LEFT JOIN node_alarms USING (node_id) WHERE node_id = $1',
    [nodeId],
  );
  return rows[0] ?? {};
}

test.each(['a"b\\c', 'Flußpegel 水 🌊', '\u2028 \u007f', 'tab\tline\nend\u0001\u001f', ',"config":null],[', ''])(
  'text %j is read as it is stored, wherever it stands',
  async (odd) => {
    const { api, source, point } = await nodes();
    const config = { units: odd, metadata: [{ name: odd, value: null }] };
    await f.database.query(
      'UPDATE nodes SET name = $2, custom_id = $2, series_key = $2, config = $3 WHERE node_id = $1',
      [point._id, odd, JSON.stringify(config)],
    );
    await f.database.query(
      `UPDATE node_values SET logger_model = $2, logger_program = $2, current_ms = 1, current_value = to_jsonb($2::text), status = $2, is_stale = false
     WHERE node_id = ANY ($1)`,
      [[source._id, point._id], odd],
    );
    const [node, above] = [await viewedNode(f.database, point._id), await viewedNode(f.database, source._id)];
    expect(node).toMatchObject({ name: odd, customId: odd, seriesKey: odd, config });
    expect(node.edges.current).toEqual({ ms: 1, value: odd, quality: null });
    expect(above.logger).toEqual({ model: odd, firmwareVersion: null, progName: odd });
    expect(above.shown.status).toBe(odd);
    const { list } = await api.list({ filter: '_class($match:point)' });
    expect(await api.get(point._id)).toMatchObject(list[0] ?? {});
    expect(list).toHaveLength(1);
  },
);

test.each(['0', '-0', '1e-7', '1.50', '-1e300', '5e-324', '9007199254740993', '123456.789012345678'])(
  'number %s is read as the driver reads it',
  async (odd) => {
    const { api, source, point } = await nodes();
    await f.database.query(
      `UPDATE node_values SET current_ms = 2, current_value = $2::jsonb, current_number = $2::float8, current_quality = 192, previous_ms = -1,
         previous_value = $2::jsonb, previous_number = $2::float8, is_stale = false WHERE node_id = $1`,
      [point._id, odd],
    );
    const [node, row] = [await viewedNode(f.database, point._id), await stored(point._id)];
    expect(node.edges).toEqual({
      current: { ms: 2, value: row.current_value, quality: 192 },
      previous: { ms: -1, value: row.previous_value, quality: null },
      oldest: null,
    });
    expect(node.shown.current.number).toBe(row.current_number);
    expect(node.shown.previous.number).toBe(row.previous_number);
    const { list } = await api.list({ filter: '_class($match:point)' });
    expect(await api.get(point._id)).toMatchObject(list[0] ?? {});
    expect(list).toHaveLength(1);
    await f.database.query('UPDATE node_values SET total_attempts = 9007199254740991 WHERE node_id = $1', [source._id]);
    expect((await viewedNode(f.database, source._id)).counters.totalAttempts).toBe(Number.MAX_SAFE_INTEGER);
  },
);

test('a node without rows of values and alarms has none', async () => {
  const { source, point } = await nodes();
  await f.database.query('DELETE FROM node_values WHERE node_id = ANY ($1)', [[source._id, point._id]]);
  await f.database.query('DELETE FROM node_alarms WHERE node_id = ANY ($1)', [[source._id, point._id]]);
  expect(await viewedNode(f.database, point._id)).toMatchObject({
    edges: { current: null, previous: null, oldest: null },
    updatedMs: null,
    controlValue: null,
    alarms: {},
    parentId: source._id,
    templateNodeId: null,
    newestAttachmentId: null,
  });
  expect(await viewedNode(f.database, source._id)).toMatchObject({
    logger: { model: null, firmwareVersion: null, progName: null },
    shown: { status: 'IDLE' },
  });
});
