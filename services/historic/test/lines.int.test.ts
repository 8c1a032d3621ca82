// Lines of InfluxDB's protocol go to a data source, by real servers: what is stored, what is left out and how that is reported; and where
// the log has a write.
import type { NodeConfig } from '@catchment/contracts/nodes';
import { SourceConfig } from '@catchment/contracts/nodes';
import { DomainError } from '@catchment/errors';
import { caller, type Historic, jts, startHistoric } from './fixture.ts';
import { TYPES } from './series.ts';

const ALL = { startTime: '1800-01-01', endTime: '2262-01-01' };
const T = 1_717_200_000_000;

let historic: Historic;
beforeAll(async () => {
  historic = await startHistoric();
});
afterAll(() => historic?.close());

const source = (lineSeries = '{sensor}/{field}') =>
  historic.source({ source: SourceConfig.fromPartial({ isEnabled: true, lineSeries }) });
/** Returns the records of a source's parameters by their series, as value and Unix ms. */
async function stored(node: NodeConfig) {
  await historic.idle();
  const found: Record<string, unknown[]> = {};
  for (const parameter of historic.nodes.parametersOf(node.nodeId)) {
    const { data } = JSON.parse((await historic.readText(parameter, ALL)).text) as {
      data: { ts: string; f: { 0: { v: unknown } } }[];
    };
    found[parameter.series?.seriesKey || parameter.name] = data.map(({ ts, f }) => [f[0].v, Date.parse(ts)]);
  }
  return found;
}

test('fields of all types become parameters by the rule of the source, and lines their records', async () => {
  const node = source();
  const lines = `m,sensor=a f=1.5,i=2i,u=3u,b=t,s="x y" ${T}\r\n# a comment\n\nm,sensor=b f=-1e3 ${T + 1}\nm,sensor=a f=2 ${T - 1}`;
  expect(await historic.writeLines(node, lines)).toEqual({ lines: 3, dropped: 0, problems: [] });
  expect(await stored(node)).toEqual({
    'a/f': [
      [2, T - 1],
      [1.5, T],
    ],
    'a/i': [[2, T]],
    'a/u': [[3, T]],
    'a/b': [[1, T]],
    'a/s': [['x y', T]],
    'b/f': [[-1000, T + 1]],
  });
  expect(historic.nodes.parametersOf(node.nodeId).map((parameter) => parameter.series?.valueType)).toEqual([
    TYPES.NUMBER,
    TYPES.NUMBER,
    TYPES.NUMBER,
    TYPES.NUMBER,
    TYPES.TEXT,
    TYPES.NUMBER,
  ]);
});

test('the same lines again are the same records; a line without a time has that of its arrival', async () => {
  const node = source('');
  for (let n = 0; n < 2; n += 1) await historic.writeLines(node, `m v=1 ${T}`);
  await historic.writeLines(node, 'm v=2', { arrivalMs: T + 5 });
  expect(await stored(node)).toEqual({
    'm/v': [
      [1, T],
      [2, T + 5],
    ],
  });
});

test('good lines are written though others are not', async () => {
  const node = source();
  historic.child(node, { name: 'Known', series: { seriesKey: 'a/text', valueType: TYPES.TEXT } });
  historic.child(node, { name: 'Computed', series: { seriesKey: 'a/computed', writable: false } });
  historic.child(node, { name: 'At', series: { seriesKey: 'a/at', valueType: TYPES.TIME } });
  const lines = [
    `m,sensor=a good=1 ${T}`,
    'm,sensor=a',
    `m good=2 ${T + 1}`,
    `m,sensor=a text=1,good=3 ${T + 2}`,
    `m,sensor=a computed=1 ${T + 3}`,
    `m,sensor=a at=1 ${T + 4}`,
    `m,sensor=a good=4 ${T + 5}`,
  ];
  const { problems, ...counts } = await historic.writeLines(node, lines.join('\n'));
  expect(counts).toEqual({ lines: 7, dropped: 5 });
  expect(problems).toEqual([
    "unable to parse 'm,sensor=a': missing fields",
    "missing tag 'sensor', which the lineSeries of the source names",
    expect.stringContaining('field "text" on measurement "m" is type float, already exists as type string'),
    "parameter 'Computed' is computed, and cannot be written",
    expect.stringContaining('already exists as type another'),
  ]);
  expect(await stored(node)).toEqual({
    'a/good': [
      [1, T],
      [4, T + 5],
    ],
    'a/text': [],
    'a/computed': [],
    'a/at': [],
  });
});

test('series beyond the parameters that a source may have are left out, the first ones are made', async () => {
  const node = source('{field}');
  const lines = Array.from({ length: 2_000 }, (_, n) => `m f${n}=${n} ${T}`);
  const { dropped, problems } = await historic.writeLines(node, lines.join('\n'));
  expect([dropped, problems]).toEqual([1_500, ['max-parameters-per-source limit exceeded: (500)']]);
  expect(historic.nodes.parametersOf(node.nodeId)).toHaveLength(500);
});

test('a line of more fields than a source may have parameters is left out, and makes none', async () => {
  const node = source('{field}');
  const wide = `m ${Array.from({ length: 501 }, (_, n) => `f${n}=${n}`).join()} ${T}`;
  expect(await historic.writeLines(node, `${wide}\nm f3=3 ${T}`)).toMatchObject({ lines: 2, dropped: 1 });
  expect(await stored(node)).toEqual({ f3: [[3, T]] });
});

test('bytes that are no UTF-8 spoil their line alone', async () => {
  const node = source('{field}');
  const bytes = Buffer.concat([
    Buffer.from(`m a=1 ${T}\nm,t=`),
    Buffer.of(0xff, 0xc3),
    Buffer.from(` a=2 ${T + 1}\nm ä=3 ${T}`),
  ]);
  const { dropped, problems } = await historic.writeLines(node, bytes);
  expect([dropped, problems]).toEqual([1, [expect.stringContaining('invalid UTF-8')]]);
  expect(await stored(node)).toEqual({ a: [[1, T]], ä: [[3, T]] });
});

describe('who may write lines', () => {
  test.each([
    [
      'a key that only reads',
      'permission_denied',
      (node: NodeConfig) => caller(node.ownerId, { permission: 'READ_ONLY' }),
    ],
    ['another account', 'not_found', () => caller('9'.repeat(24))],
    [
      'a user without EDIT_DATA',
      'permission_denied',
      (node: NodeConfig) => {
        const grants = [{ permissions: ['VIEW', 'EDIT_QUALITY'], workspaceIds: [node.workspaceId] }];
        return caller(node.ownerId, { rights: { grants } });
      },
    ],
    [
      'a key of other workspaces',
      'permission_denied',
      (node: NodeConfig) => caller(node.ownerId, { accessLevel: 'LIMITED_WORKSPACES', workspaceIds: ['9'.repeat(24)] }),
    ],
  ])('not %s', async (_what, kind, who) => {
    const node = source();
    await expect(historic.writeLines(node, `m,sensor=a v=1 ${T}`, {}, who(node))).rejects.toMatchObject({ kind });
    expect(historic.nodes.parametersOf(node.nodeId)).toEqual([]);
  });

  test.each([
    ['a parameter', () => historic.parameter(), {}],
    ['a precision that is none', () => source(), { precision: 'd' }],
  ])('not to %s', async (_what, make, given) => {
    await expect(historic.writeLines(make(), `m v=1 ${T}`, given)).rejects.toBeInstanceOf(DomainError);
  });
});

test('no lines at all are no write, but the source is looked for', async () => {
  await historic.idle();
  const before = historic.messages.length;
  expect(await historic.writeLines(source(), '# nothing\n')).toEqual({ lines: 0, dropped: 0, problems: [] });
  await historic.idle();
  expect(historic.messages).toHaveLength(before);
  await expect(historic.writeLines({ ...source(), nodeId: '9'.repeat(24) }, '')).rejects.toMatchObject({
    kind: 'not_found',
  });
});

describe('where the log has a write', () => {
  const document = jts([[T, { v: 1 }]]);

  test('it says so, and is readable when the store has it', async () => {
    const node = historic.parameter();
    const parts = await historic.writeParts(node, document);
    expect(parts).toEqual([{ sourceId: node.sourceId, sequence: expect.any(Number), nodeIds: [node.nodeId] }]);
    expect(await historic.writeState(parts, 20_000, caller(node.ownerId))).toEqual({
      isDurable: true,
      isReadable: true,
    });
    expect(JSON.parse((await historic.readText(node, ALL)).text).data).toHaveLength(1);
    const later = parts.map((part) => ({ ...part, sequence: part.sequence + 1_000 }));
    expect(await historic.writeState(later, 0, caller(node.ownerId))).toEqual({ isDurable: false, isReadable: false });
  });

  test('a write that would fail the second time comes once, where its request has a key', async () => {
    const node = historic.parameter();
    const failing = { writeMode: 'INSERT_FAIL_ON_EXISTING' };
    const who = caller(node.ownerId, { keyed: { id: `write-${node.nodeId}`, tryNumber: 1, isOnce: false } });
    const [first, again] = [
      await historic.writeParts(node, document, failing, who),
      await historic.writeParts(node, document, failing, who),
    ];
    expect(again).toEqual(first);
    await historic.idle();
    const failures = () =>
      historic.applied.flatMap(({ columnFailures }) => columnFailures).filter(({ nodeId }) => nodeId === node.nodeId);
    expect(failures()).toEqual([]);
    await historic.writeParts(node, document, failing);
    await historic.idle();
    expect(failures()).toHaveLength(1);
  });
});
