import { type Export, exportView, memberName, readExport } from './export.ts';

const NODES = ['@gauge'];

test('an export names its nodes, each once, and is of CSV with a file for each unless it says otherwise', () => {
  expect(readExport({ nodes: ['@a', '@b', '@a'], format: null })).toEqual({
    nodeRefs: ['@a', '@b'],
    format: 'CSV',
    layout: 'FILE_PER_PARAMETER',
    arguments: {},
  });
});

test('choices are read whatever their case, arguments of the read as texts', () => {
  const body = {
    nodes: NODES,
    format: 'jts',
    layout: 'interleaved',
    timezone: 'Etc/UTC',
    quality: true,
    annotation: null,
  };
  expect(readExport(body)).toMatchObject({
    format: 'JTS',
    layout: 'INTERLEAVED',
    arguments: { timezone: 'Etc/UTC', quality: 'true' },
  });
});

test.each([
  ['a list', [], /^body: must be an object/],
  ['no nodes', {}, /^nodes: must name 1 to 500 /],
  ['an empty list of nodes', { nodes: [] }, /^nodes: /],
  ['too many nodes', { nodes: Array(501).fill('@a') }, /^nodes: /],
  ['a node that is no text', { nodes: [5] }, /^nodes: /],
  ['a format that nobody has', { nodes: NODES, format: 'XLS' }, /^format: must be one of CSV, JTS/],
  ['a layout that nobody has', { nodes: NODES, layout: 'WIDE' }, /^layout: must be one of /],
  ['an argument that is no text', { nodes: NODES, timezone: 5 }, /^timezone: must be a text/],
  ['an attribute that nobody knows', { nodes: NODES, colour: 'red' }, /^colour: is no attribute of an export/],
  ['the name of a function', { nodes: NODES, toString: 'a' }, /^toString: is no attribute of an export/],
])('%s is refused', (_what, body, message) => {
  expect(() => readExport(body)).toThrow(expect.objectContaining({ message: expect.stringMatching(message) }));
});

test.each([
  ['Level', 'CSV', 'Level_n.csv'],
  ['Level', 'JTS', 'Level_n.json'],
  ['../../etc/passwd', 'CSV', '.._.._etc_passwd_n.csv'],
  ['Höhe: "Ä"', 'CSV', 'Höhe_ _Ä__n.csv'],
  [`${'a'.repeat(79)} b`, 'CSV', `${'a'.repeat(79)}_n.csv`],
] as const)('the file of a node named %s in %s is %s', (name, format, expected) => {
  expect(memberName({ name, nodeId: 'n' }, { format })).toBe(expected);
});

test.each([
  ['that is made has no end', null, { endedTime: null, expiryTime: null }],
  [
    'that has ended is kept for 12 hours',
    0,
    { endedTime: '1970-01-01T00:00:00.000Z', expiryTime: '1970-01-01T12:00:00.000Z' },
  ],
])('an export %s', (_what, endedMs, expected) => {
  const plan = { format: 'CSV', layout: 'INTERLEAVED', nodeIds: ['n', 'm'] };
  const found = { exportId: 'e', plan, state: 'DONE', createdMs: 0, endedMs } as unknown as Export;
  expect(exportView(found)).toMatchObject({ ...expected, _id: 'e', series: 2 });
});
