import { slugOf } from './account.ts';
import { type Acquisition, type AcquisitionWindow, closeWindow, openOrJoin } from './acquisition-window.ts';
import { valuesChanges } from './applied-batch.ts';
import { checkContainment } from './containment.ts';
import { matchColumns } from './match-columns.ts';
import { generateName, nameKey } from './names.ts';
import type { NodeKind } from './node-class.ts';
import { updateMessages } from './node-event.ts';
import { type Edges, mergeEdges, NO_EDGES } from './series-value.ts';

const line = (text: string) => (text === '' ? [] : text.split('>').map((kind) => ({ kind: kind as NodeKind })));

describe('containment', () => {
  test.each<[kind: NodeKind, parent: string, allowed: boolean]>([
    ['workspace', '', true],
    ['workspace', 'workspace', false],
    ['templates', '', true],
    ['templates', 'workspace', false],
    ['templates', 'templates', false],
    ['workspace', 'templates', false],
    ['group', 'templates', true],
    ['location', 'templates', true],
    ['source', 'templates', false],
    ['dashboard', 'templates', false],
    ['location', 'templates>group', true],
    ['dashboard', 'templates>group', true],
    ['source', 'templates>location', true],
    ['location', 'templates>location>group', false],
    ['group', '', false],
    ['group', 'workspace', true],
    ['location', 'workspace', true],
    ['source', 'workspace', false],
    ['parameter', 'workspace', false],
    ['group', 'workspace>group', true],
    ['location', 'workspace>group', true],
    ['source', 'workspace>group', false],
    ['group', 'workspace>location', true],
    ['location', 'workspace>location', false],
    ['source', 'workspace>location', true],
    ['parameter', 'workspace>location', false],
    ['location', 'workspace>location>group', false],
    ['source', 'workspace>location>group', true],
    ['source', 'workspace>group>location>group>group', true],
    ['parameter', 'workspace>location>source', true],
    ['source', 'workspace>location>source', false],
    ['group', 'workspace>location>source', false],
    ['parameter', 'workspace>location>source>parameter', false],
  ])('a %s under "%s": %s', (kind, parent, allowed) => {
    const check = () => checkContainment(kind, line(parent));
    if (allowed) expect(check).not.toThrow();
    else
      expect(check).toThrow(
        expect.objectContaining({ kind: 'invalid_argument', message: expect.stringMatching(/^parentId: /) }),
      );
  });

  test('the tree is at most 32 levels deep', () => {
    const levels = (n: number) => line(['workspace', ...Array(n - 1).fill('group')].join('>'));
    expect(() => checkContainment('group', levels(31))).not.toThrow();
    expect(() => checkContainment('group', levels(32))).toThrow('deeper');
  });
});

describe('generated names', () => {
  const taken = new Set(['batt', 'batt (2)', 'x'.repeat(120)].map(nameKey));
  test.each([
    ['air_temp', 'air temp'],
    ['a/b;{c}', 'a-b--c-'],
    ['Batt', 'Batt (3)'],
    ['  wind  ', 'wind'],
    ['__', 'Unnamed'],
    ['y'.repeat(130), 'y'.repeat(120)],
    ['X'.repeat(125), `${'X'.repeat(116)} (2)`],
  ])('%s becomes %s', (wanted, name) => expect(generateName(wanted, taken)).toBe(name));
});

test.each([
  ['River Gauges Ltd', 7, 'rivergaugesltd7'],
  ['Ünïcode & Söhne', 1, 'unicodesohne1'],
  ['日本', 3, 'account3'],
  ['A very long account name indeed', 999_999, 'averylongaccou999999'],
])('the slug of %s', (name, number, slug) => {
  expect(slugOf(name, number)).toBe(slug);
  expect(slug).toMatch(/^[a-z0-9]{3,20}$/);
});

describe('columns of a data source write', () => {
  const known = [
    { nodeId: '1'.repeat(24), customId: 'air', name: 'Air', seriesKey: 'air_t' },
    { nodeId: '2'.repeat(24), customId: null, name: 'Wind', seriesKey: null },
  ];
  const nobody = { foreignRefs: new Set<string>(), locationId: undefined };
  const match = (columns: object[], around: Parameters<typeof matchColumns>[2] = nobody) =>
    matchColumns(
      known,
      columns.map((one, index) => ({ index, id: '', series: '', name: '', dataType: '', units: '', ...one })),
      around,
    );
  test.each([
    ['by id', { id: '1'.repeat(24) }, { kind: 'found', nodeId: '1'.repeat(24) }],
    ['by custom id', { id: '@air' }, { kind: 'found', nodeId: '1'.repeat(24) }],
    ['by stored key', { series: 'air_t', name: 'else' }, { kind: 'found', nodeId: '1'.repeat(24) }],
    ['by name, adopting the key', { series: 'wind' }, { kind: 'adopted', nodeId: '2'.repeat(24), seriesKey: 'wind' }],
    ['a random id with a name is made', { id: 'f'.repeat(24), name: 'new' }, { kind: 'created', at: 0 }],
    ['keys are case-sensitive', { series: 'AIR_T' }, { kind: 'created', at: 0 }],
    ['a name of a parameter that has a key is no match', { name: 'Air' }, { kind: 'created', at: 0 }],
  ])('%s', (_what, column, result) => expect(match([column]).matches[0]).toEqual(result));

  test.each([
    ['an unknown id alone', { id: 'f'.repeat(24) }, 'header.columns.0.id: '],
    ['a malformed id alone', { id: 'nobody' }, 'header.columns.0.id: '],
    ['nothing', {}, 'header.columns.0: id, series or name'],
    ['an unknown type', { name: 'a', dataType: 'WORD' }, 'header.columns.0.dataType: '],
    ['coordinates on a source of no Location', { name: 'a', dataType: 'COORDINATES' }, 'header.columns.0.dataType: '],
    ['long units', { name: 'a', units: 'x'.repeat(31) }, 'header.columns.0.units: '],
    ['a long key', { name: 'a'.repeat(256) }, 'header.columns.0: '],
  ])('%s is refused', (_what, column, text) => expect(() => match([column])).toThrow(text));

  test('a parameter of another source is refused even with a name', () => {
    const id = '9'.repeat(24);
    expect(() => match([{ id, name: 'a' }], { ...nobody, foreignRefs: new Set([id]) })).toThrow('header.columns.0.id');
  });
  test('coordinates go to the Location that takes them from the source', () => {
    const around = { ...nobody, locationId: '7'.repeat(24) };
    expect(match([{ name: 'pos', dataType: 'COORDINATES' }], around).matches[0]).toEqual({
      kind: 'found',
      nodeId: '7'.repeat(24),
    });
  });
  test('two columns with one key share a parameter; different keys with one name do not', () => {
    const { created, matches } = match([{ series: 'a', name: 'N' }, { series: 'b', name: 'n' }, { series: 'a' }]);
    expect(created.map(({ name, seriesKey }) => [name, seriesKey])).toEqual([
      ['N', 'a'],
      ['n (2)', 'b'],
    ]);
    expect(matches.at(2)).toEqual(matches[0]);
  });
  test('a Boolean column is a number series', () =>
    expect(match([{ name: 'door', dataType: 'boolean' }]).created[0]).toMatchObject({
      class: 'point.NumberPoint',
      isBoolean: true,
    }));
  test('a source has at most 500 parameters', () => {
    const many = Array.from({ length: 498 }, (_, i) => ({ name: `p${i}` }));
    expect(match(many).created).toHaveLength(498);
    expect(() => match([...many, { name: 'more' }])).toThrow('header.columns.498: ');
  });
});

describe('current, previous and oldest', () => {
  const at = (ms: number, value = ms) => ({ ms, value, quality: null });
  const show = ({ current, previous, oldest }: Edges) => [current, previous, oldest].map((one) => one?.value ?? null);
  const write = (...newest: ReturnType<typeof at>[]) => ({ newest, oldest: newest.at(-1) ?? null });
  const before: Edges = { current: at(20), previous: at(10), oldest: at(5) };
  test.each([
    ['the first record is all three but previous', NO_EDGES, write(at(7)), [7, null, 7]],
    ['a newer record moves the current one back', before, write(at(30)), [30, 20, 5]],
    ['a record in between becomes previous', before, write(at(15)), [20, 15, 5]],
    ['an older record changes only the oldest', before, write(at(1)), [20, 10, 1]],
    ['the same time is overwritten', before, write(at(20, 99)), [99, 10, 5]],
    ['two newer records', before, write(at(40), at(30)), [40, 30, 5]],
    ['the oldest is overwritten', before, write(at(5, 55)), [20, 10, 55]],
    ['a write without values changes nothing', before, { newest: [], oldest: null }, [20, 10, 5]],
  ])('%s', (_what, edges, written, shown) => {
    const after = mergeEdges(edges, written);
    expect(show(after)).toEqual(shown);
    expect(mergeEdges(after, written)).toEqual(after);
  });

  const one = { nodeId: 'a', ownerId: 'o', modifiedMs: 5, written: write(at(1)), recompute: false };
  const lost = { ...one, recompute: true };
  const told: Edges = { current: at(3), previous: at(2), oldest: at(1) };
  const gone = { nodeId: 'a', ownerId: 'o', timeMs: 6, username: 'jo' };
  const wrote = (...series: (typeof one & { edges?: Edges })[]) => ({ series, deleted: [] });
  test.each<[string, Parameters<typeof valuesChanges>[0], object]>([
    ['written and deleted in one message, whichever came first', [{ series: [one], deleted: [gone] }], { base: 'ask' }],
    ['… with what the store had afterwards', [{ series: [{ ...lost, edges: told }], deleted: [gone] }], { base: told }],
    ['deleted twice', [{ series: [], deleted: [gone, gone] }], { base: 'none', updatedMs: 6 }],
    ['written twice', [wrote(one), wrote(one)], { base: 'known', written: [{}, {}] }],
    ['values may have gone, and more is written', [wrote(lost), wrote(one)], { base: 'ask' }],
    [
      '… what is written is added to what was told',
      [wrote({ ...lost, edges: told }), wrote(one)],
      { base: told, written: [{}] },
    ],
    ['what is told later counts', [wrote(lost), wrote({ ...lost, edges: told })], { base: told, written: [] }],
    [
      'deleted, then written in another message',
      [{ series: [], deleted: [gone] }, wrote(one)],
      { base: 'none', written: [{}] },
    ],
  ])('what becomes of a series that was %s', (_what, batches, expected) => {
    expect(valuesChanges(batches)).toMatchObject([expected]);
  });
});

describe('events of acquisitions', () => {
  const acquired = (timeMs: number, rows: number): Acquisition => ({
    nodeId: 'n',
    isSource: true,
    rows,
    parameters: 2,
    timeMs,
    username: 'jo',
    origin: 'API',
  });
  const run = (windowMs: number, ...acquisitions: Acquisition[]) => {
    let window: AcquisitionWindow | undefined;
    const events = acquisitions.flatMap((one) => {
      const next = openOrJoin(window, one, windowMs);
      window = next.window;
      return next.events;
    });
    return { events: events.map(({ timeMs, message }) => [timeMs, message]), window };
  };
  const text = (rows: number) => `Processed ${rows} records from API [2 parameters updated]`;

  test('the first gives its event at once, later ones of the window are summed at its end', () => {
    const { events, window } = run(60, acquired(0, 1), acquired(10, 2), acquired(59, 3));
    expect(events).toEqual([[0, text(1)]]);
    expect(closeWindow(window!)).toEqual([
      { level: 'DEBUG', nodeId: 'n', username: 'jo', timeMs: 60, message: text(5) },
    ]);
  });
  test('the first one after a window closes it', () =>
    expect(run(60, acquired(0, 1), acquired(10, 2), acquired(60, 3)).events).toEqual([
      [0, text(1)],
      [60, text(2)],
      [60, text(3)],
    ]));
  test('a window in which nothing came has no event', () =>
    expect(closeWindow(run(60, acquired(0, 1)).window!)).toEqual([]));
  test('0 gives an event for each', () =>
    expect(run(0, acquired(0, 1), acquired(1, 2))).toEqual({
      events: [
        [0, text(1)],
        [1, text(2)],
      ],
      window: undefined,
    }));
  test('a parameter does not count parameters', () =>
    expect(openOrJoin(undefined, { ...acquired(0, 4), isSource: false }, 60).events[0]?.message).toBe(
      'Processed 4 records from API',
    ));
});

test.each([
  [['name'], ["Rename node 'a' to 'b'"]],
  [['isEnabled'], ['Source disabled']],
  [['units', 'format'], ['Updated units, format']],
  [
    ['name', 'isEnabled', 'metadata'],
    ["Rename node 'a' to 'b'", 'Source disabled', 'Updated metadata'],
  ],
])('a change of %j says %j', (changed, messages) =>
  expect(updateMessages(changed, { name: 'a' }, { name: 'b', isEnabled: false })).toEqual(messages),
);
