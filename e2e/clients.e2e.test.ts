// Existing client programs rely on these (docs/reference/requests-and-errors.md#what-clients-rely-on, items 1–4, 6, 8,
// 10–12, 14), and on the answers to bad input (docs/reference/requests-and-errors.md), through the gateway.
import { gzipSync } from 'node:zlib';
import { until } from '@catchment/testkit';
import { HttpError, InfluxDB, Point } from '@influxdata/influxdb-client';
import { type Api, jts, MODEL, unique } from './src/api.ts';
import { type Installation, startInstallation } from './src/installation.ts';
import { borrowInstallation } from './src/lent-installation.ts';

let installation: Installation;
let api: Api;
let other: Api;

beforeAll(async () => {
  installation = await (process.env.CATCHMENT_URL ? startInstallation() : borrowInstallation('spread'));
  api = installation.api;
  other = await installation.otherAccount();
});
afterAll(() => installation?.stop());

const minute = (n: number) => new Date(Date.UTC(2024, 0, 1, 0, n)).toISOString();

async function childrenOf(sourceId: string): Promise<{ _id: string; name: string; [attribute: string]: unknown }[]> {
  return (await api.get('/nodes')).json.filter((node: { parentId?: string }) => node.parentId === sourceId);
}

/** Makes a parameter with records 1 … n, one a minute from minute(1). */
async function series(n: number): Promise<string> {
  const { sourceId } = await api.createSite();
  const rows = Array.from({ length: n }, (_, i): [string, number] => [minute(i + 1), i + 1]);
  expect((await api.put(`/nodes/${sourceId}/historic`, jts(['Flow'], rows, 'm³/s'))).status).toBe(202);
  const id = (await childrenOf(sourceId))[0]?._id ?? '';
  await until(async () => (await api.get(`/nodes/${id}/historic?limit=1`)).json.data[0]?.f[0].v === n);
  return id;
}

const valuesOf = (document: { data: { f: { 0: { v: number } } }[] }) => document.data.map((row) => row.f[0].v);

describe('what client programs rely on', () => {
  test('1: trailing slashes, raw $ ( ) : , in the query, a content type on GET, any case of the header, format=json', async () => {
    const id = await series(2);
    expect((await api.get('/nodes/')).status).toBe(200);
    const filtered = await fetch(`${api.url}/api/v1/nodes/?filter=name($eq:Flow),_id($eq:${id})&attr=_id`, {
      headers: { 'x-API-kEY': api.key, 'content-type': 'application/json' },
    });
    expect([filtered.status, await filtered.json()]).toEqual([200, [{ _id: id }]]);
    expect((await api.get(`/nodes/${id}/historic/?format=json&limit=1`)).json.docType).toBe('jts');
  });

  test('2: POST on historic endpoints does what PUT does', async () => {
    const { sourceId } = await api.createSite();
    expect((await api.post(`/nodes/${sourceId}/historic`, jts(['a'], [[minute(0), 1]]))).status).toBe(202);
    const [point] = await childrenOf(sourceId);
    expect((await api.post(`/nodes/${point?._id}/historic/now`, { value: 3, timestamp: minute(1) })).status).toBe(202);
    await until(async () => (await api.get(`/nodes/${point?._id}`)).json.currentValue === 3);
  });

  test.each([
    ['named only by name', { 0: { name: 'Level' } }, ['Level']],
    ['with an empty id', { 0: { id: '', name: 'Level' } }, ['Level']],
    ['with a random id and a name', { 0: { id: '5f3a9c0000000000000000ff', name: 'Level' } }, ['Level']],
    ['with dataType VALUE and format null', { 0: { name: 'Level', dataType: 'VALUE', format: null } }, ['Level']],
  ])('3: columns %s create the parameter, also when data is empty', async (_what, columns, names) => {
    const { sourceId } = await api.createSite();
    const answer = await api.put(`/nodes/${sourceId}/historic`, {
      docType: 'jts',
      version: '1.0',
      header: { columns },
      data: [],
    });
    expect(answer.status).toBe(202);
    expect((await childrenOf(sourceId)).map(({ name }) => name)).toEqual(names);
  });

  test('3: successive documents put different parameters at index 0', async () => {
    const { sourceId } = await api.createSite();
    await api.put(`/nodes/${sourceId}/historic`, jts(['first'], [[minute(0), 1]]));
    await api.put(`/nodes/${sourceId}/historic`, jts(['second'], [[minute(0), 2]]));
    const children = await childrenOf(sourceId);
    expect(children.map(({ name }) => name).sort()).toEqual(['first', 'second']);
    for (const { _id, name } of children) {
      const expected = name === 'first' ? 1 : 2;
      await until(async () => (await api.get(`/nodes/${_id}`)).json.currentValue === expected);
    }
  });

  test('4: subType, times without zone or seconds, rows out of order, empty fields, q as 0.0, offsets +1300 and +13:00, 24 columns', async () => {
    const { sourceId } = await api.createSite();
    const columns = Object.fromEntries(Array.from({ length: 24 }, (_, n) => [n, { series: `c${n}` }]));
    const body = `{"docType":"jts","subType":"TIMESERIES","version":"1.0",
      "header":{"startTime":"2024-01-01T00:00","endTime":"2024-01-02 00:00","columns":${JSON.stringify(columns)}},
      "data":[{"ts":"2024-01-01T16:00+1300","f":{"0":{"v":3,"q":0.0}}},{"ts":"2024-01-01T15:00:00+13:00","f":{"0":{"v":2},"1":{}}},
              {"ts":"2024-01-01T01:00","f":{"0":{"v":1},"23":{"v":24}}}]}`;
    const answer = await api.put(`/nodes/${sourceId}/historic`, body);
    expect([answer.status, answer.text]).toEqual([202, expect.stringContaining('Operation accepted')]);
    const children = await childrenOf(sourceId);
    expect(children).toHaveLength(24);
    const id = children.find(({ name }) => name === 'c0')?._id;
    const document = await until(async () => {
      const { json } = await api.get(`/nodes/${id}/historic?limit=10`);
      return json.data.length === 3 && json;
    });
    expect(document.data).toEqual([
      { ts: '2024-01-01T01:00:00.000Z', f: { 0: { v: 1 } } },
      { ts: '2024-01-01T02:00:00.000Z', f: { 0: { v: 2 } } },
      { ts: '2024-01-01T03:00:00.000Z', f: { 0: { v: 3, q: 0 } } },
    ]);
  });

  test('6: limit with endTime gives the last rows before it, with both bounds the first ones, always ascending', async () => {
    const id = await series(40);
    const last = await api.get(`/nodes/${id}/historic?limit=25&endTime=${minute(30)}`);
    expect(valuesOf(last.json)).toEqual(Array.from({ length: 25 }, (_, n) => n + 6));
    const first = await api.get(`/nodes/${id}/historic?limit=5&startTime=${minute(10)}&endTime=${minute(30)}`);
    expect(valuesOf(first.json)).toEqual([10, 11, 12, 13, 14]);
  });

  test('8: data is an array and a column has its name and units also without data, in UTF-8', async () => {
    const id = await series(1);
    const { json } = await api.get(`/nodes/${id}/historic?startTime=2030-01-01T00:00:00Z&endTime=2030-01-02T00:00:00Z`);
    expect([json.data, json.header.columns[0]]).toEqual([[], expect.objectContaining({ name: 'Flow', units: 'm³/s' })]);
  });

  test('10: the layout of the text: header over lines, data alone on its line, one record per line', async () => {
    const id = await series(2);
    const lines = (await api.get(`/nodes/${id}/historic?limit=2`)).text.split('\n');
    const dataAt = lines.findIndex((line) => /^\s*"data"\s*:\s*\[\s*$/.test(line));
    expect(dataAt).toBeGreaterThan(5);
    expect(lines.slice(0, dataAt).some((line) => /^\s*"recordCount"\s*:\s*2,?$/.test(line))).toBe(true);
    expect(lines[dataAt + 1]).toMatch(
      /^\s*\{\s?"ts":\s?"2024-01-01T00:01:00\.000Z",\s?"f":\s?\{\s?"0":\s?\{\s?"v":\s?1\s?\}/,
    );
    expect(lines[dataAt + 2]).toMatch(/^\s*\{\s?"ts":\s?"2024-01-01T00:02:00\.000Z"/);
  });

  test('11 and 12: attr gives exactly these attributes in order, sort may use another one, times have milliseconds', async () => {
    const name = unique('Sorted');
    const { workspaceId } = await api.createSite(name);
    const list = await api.get(`/nodes?attr=name,_id&sort=createdTime(DESC)&filter=_id($eq:${workspaceId})`);
    expect(list.text.replace(/\s/g, '')).toBe(`[{"name":"${name}","_id":"${workspaceId}"}]`.replace(/\s/g, ''));
    const workspace = (await api.get(`/nodes/${workspaceId}`)).json;
    expect(workspace).not.toHaveProperty('parentId');
    expect(workspace.createdTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test('13: read-only attributes beside metadata are ignored, metadata is stored and read back', async () => {
    const id = await series(1);
    const metadata = [
      { name: 'Serial', value: 'A-17' },
      { name: 'Depth', value: 3.5 },
    ];
    const updated = await api.put(`/nodes/${id}`, {
      metadata,
      _id: 'f'.repeat(24),
      currentValue: 99,
      ownerId: 'f'.repeat(24),
    });
    expect([updated.status, updated.json._id, updated.json.metadata]).toEqual([200, id, metadata]);
    expect((await api.get(`/nodes/${id}`)).json.currentValue).not.toBe(99);
  });

  test('16: states on every number and text parameter, outdatedAlarm status on sources', async () => {
    const { sourceId } = await api.createSite();
    for (const kind of ['NumberPoint', 'TextPoint']) {
      const point = await api.create({ _class: `${MODEL}.point.${kind}`, name: kind, parentId: sourceId });
      expect(Array.isArray(point.states)).toBe(true);
    }
    expect((await api.get(`/nodes/${sourceId}`)).json.alarms.outdatedAlarm.status.alarmState).toBe('CLEARED');
  });
});

describe('bad input', () => {
  test.each([
    ['no key', 401, (id: string) => fetch(`${api.url}/api/v1/nodes/${id}`)],
    [
      'a key of the wrong length',
      401,
      (id: string) => fetch(`${api.url}/api/v1/nodes/${id}`, { headers: { 'X-Api-Key': 'short' } }),
    ],
  ])('%s answers %i with a text that says Unauthorized', async (_what, status, send) => {
    const response = await send('f'.repeat(24));
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({
      error: { code: status, message: expect.stringContaining('Unauthorized') },
    });
    expect(response.headers.get('x-request-id')).toBeTruthy();
  });

  test.each<
    [string, number, RegExp, (id: string) => [string, string, (string | Uint8Array)?, Record<string, string>?]]
  >([
    ['malformed JSON', 400, /JSON/i, (id) => ['PUT', `/nodes/${id}/historic`, '{"docType":']],
    ['another document type', 400, /docType/, (id) => ['PUT', `/nodes/${id}/historic`, '{"docType":"csv","data":[]}']],
    [
      'text for a number',
      400,
      /column|number/i,
      (id) => [
        'PUT',
        `/nodes/${id}/historic`,
        '{"docType":"jts","data":[{"ts":"2024-01-01T00:00:00Z","f":{"0":{"v":"x"}}}]}',
      ],
    ],
    [
      'a time that is none',
      400,
      /ts/,
      (id) => [
        'PUT',
        `/nodes/${id}/historic`,
        '{"docType":"jts","data":[{"ts":"2024-13-01T00:00:00Z","f":{"0":{"v":1}}}]}',
      ],
    ],
    [
      'a quality over 65535',
      400,
      /q/,
      (id) => [
        'PUT',
        `/nodes/${id}/historic`,
        '{"docType":"jts","data":[{"ts":"2024-01-01T00:00:00Z","f":{"0":{"v":1,"q":70000}}}]}',
      ],
    ],
    [
      'an unknown write mode',
      400,
      /writeMode/,
      (id) => ['PUT', `/nodes/${id}/historic?writeMode=X`, '{"docType":"jts","data":[]}'],
    ],
    ['now without anything', 400, /value/, (id) => ['PUT', `/nodes/${id}/historic/now`, '{}']],
    ['no range at all', 400, /startTime|endTime|limit/, (id) => ['GET', `/nodes/${id}/historic`]],
    [
      'start after end',
      400,
      /startTime/,
      (id) => ['GET', `/nodes/${id}/historic?startTime=2024-01-02T00:00:00Z&endTime=2024-01-01T00:00:00Z`],
    ],
    [
      'a body of another type',
      400,
      /Content-Type/i,
      (id) => ['PUT', `/nodes/${id}/historic`, 'a,b', { 'Content-Type': 'text/csv' }],
    ],
    ['corrupt gzip', 400, /gzip/i, (id) => ['PUT', `/nodes/${id}/historic`, 'no gzip', { 'Content-Encoding': 'gzip' }]],
    ['an unknown node', 404, /not found/, () => ['GET', `/nodes/${'f'.repeat(24)}`]],
    ['an unknown path', 404, /not found/, () => ['GET', '/nothing']],
    ['a method that the path has not', 405, /not allowed/, () => ['DELETE', '/nodes']],
    ['a body over 5 MiB', 413, /large/, (id) => ['PUT', `/nodes/${id}/historic`, Buffer.alloc(6 * 1024 * 1024, 0x20)]],
    ['a query over 4096 bytes', 413, /large/, () => ['GET', `/nodes?attr=${'a'.repeat(4200)}`]],
  ])('%s answers %i and stores nothing', async (_what, status, message, request) => {
    const id = await series(1);
    const [method, path, body, headers] = request(id);
    const answer = await api.send(method, path, body, headers);
    expect([answer.status, answer.json.error.code]).toEqual([status, status]);
    expect(answer.json.error.message).toMatch(message);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(valuesOf((await api.get(`/nodes/${id}/historic?limit=10`)).json)).toEqual([1]);
  });

  test('a gzip bomb is cut off at the limit while it inflates', async () => {
    const id = await series(1);
    const { gateway } = await installation.pids();
    const before = await residentBytes(gateway);
    const bomb = gzipSync(Buffer.alloc(400 * 1024 * 1024), { level: 9 });
    const answer = await api.put(`/nodes/${id}/historic`, bomb, { 'Content-Encoding': 'gzip' });
    expect(answer.status).toBe(413);
    expect((await residentBytes(gateway)) - before).toBeLessThan(64 * 1024 * 1024);
  });

  test('gzip works both ways', async () => {
    const id = await series(40);
    const body = gzipSync(JSON.stringify({ docType: 'jts', data: [{ ts: minute(41), f: { 0: { v: 41 } } }] }));
    expect((await api.put(`/nodes/${id}/historic`, body, { 'Content-Encoding': 'gzip' })).status).toBe(202);
    const read = await api.get(`/nodes/${id}/historic?limit=40`, { 'Accept-Encoding': 'gzip' });
    expect([read.headers.get('content-encoding'), read.json.data.length]).toEqual(['gzip', 40]);
  });
});

describe('another account', () => {
  test.each([
    ['GET', (id: string) => `/nodes/${id}`, undefined],
    ['PUT', (id: string) => `/nodes/${id}`, { name: 'mine' }],
    ['DELETE', (id: string) => `/nodes/${id}`, undefined],
    ['GET', (id: string) => `/nodes/${id}/historic?limit=1`, undefined],
    ['PUT', (id: string) => `/nodes/${id}/historic/now`, { value: 666 }],
    [
      'PUT',
      (id: string) => `/nodes/${id}/historic`,
      { docType: 'jts', data: [{ ts: minute(1), f: { 0: { v: 666 } } }] },
    ],
    ['DELETE', (id: string) => `/nodes/${id}/historic`, undefined],
    ['GET', (id: string) => `/nodes/${id}/historic/chart?startTime=${minute(0)}&endTime=${minute(9)}`, undefined],
    ['GET', (id: string) => `/nodes/${id}/events`, undefined],
    ['POST', (id: string) => `/nodes/${id}/events`, [{ message: 'not theirs' }]],
    ['DELETE', (id: string) => `/nodes/${id}/events`, undefined],
    ['POST', (id: string) => `/nodes/${id}/alarms/acknowledge`, undefined],
    ['POST', (id: string) => `/nodes/${id}/alarms/clear`, undefined],
  ])('%s of a foreign node (%#) is 404 and changes nothing', async (method, path, body) => {
    const id = await series(1);
    const answer = await other.send(method, path(id), body);
    expect([answer.status, answer.json.error.message]).toEqual([404, 'Requested resource not found']);
    expect(valuesOf((await api.get(`/nodes/${id}/historic?limit=10`)).json)).toEqual([1]);
    expect((await api.get(`/nodes/${id}`)).json.name).toBe('Flow');
  });

  test('lists show the own account only', async () => {
    await series(1);
    expect((await other.get('/nodes')).json).toEqual([]);
    expect((await other.get('/devices')).json).toEqual([]);
    const events = (await other.get('/events')).json as { message: string }[];
    expect(events.some(({ message }) => message.includes('Flow'))).toBe(false);
  });
});

describe('the client of InfluxDB for Node', () => {
  const writer = (token: string, bucket: string) =>
    new InfluxDB({ url: api.url, token }).getWriteApi('any', bucket, 'ms', { maxRetries: 0, gzipThreshold: 1 });

  test('writes points, which are series of the source by its rule, and hears what was left out', async () => {
    const { sourceId } = await api.createSite();
    await api.put(`/nodes/${sourceId}`, { lineSeries: '{site}/{field}' });
    const write = writer(api.key, sourceId);
    write.writePoint(
      new Point('river')
        .tag('site', 'a b')
        .floatField('stage', 1.5)
        .timestamp(Date.parse(minute(0))),
    );
    await write.close();
    const partly = writer(api.key, sourceId);
    partly.writeRecord(`river,site=a\\ b stage=2.5 ${Date.parse(minute(1))}`);
    partly.writeRecord('river stage=3');
    await expect(partly.close()).rejects.toMatchObject({ statusCode: 400, body: expect.stringContaining('dropped=1') });
    await until(async () => (await childrenOf(sourceId))[0]?.currentValue === 2.5);
    expect((await childrenOf(sourceId)).map(({ series }) => series)).toEqual(['a b/stage']);
  });

  test.each([
    ['a wrong key', () => 'wrong', 401],
    ['a key of another account', () => other.key, 404],
  ])('hears of %s, and nothing is written', async (_what, key, status) => {
    const { sourceId } = await api.createSite();
    const write = writer(key(), sourceId);
    write.writeRecord('river stage=1');
    const error = await write.close().then(
      () => undefined,
      (failure: unknown) => failure,
    );
    expect([error instanceof HttpError, (error as HttpError | undefined)?.statusCode]).toEqual([true, status]);
    expect(await childrenOf(sourceId)).toEqual([]);
  });
});

async function residentBytes(pid: number | undefined): Promise<number> {
  const { readFile } = await import('node:fs/promises');
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
}
